/** The buttons that decide. */

import type { FixView, RunOptionView } from '../state';
import type { FixChoices } from './choices';
import type { Layout } from './diffpane';
import { button, h, setText } from './dom';
import type { Host } from './host';
import { RunOptions } from './runoptions';

export interface ActionHandlers {
  /** `whole`: all of it is to run, even where it could be resumed. */
  accept: (run: boolean, whole: boolean) => void;
  reject: () => void;
  edit: () => void;
  discard: () => void;
  turn: () => void;
  read: (read: boolean) => void;
}

export interface ActionState {
  fix: FixView;
  choices: FixChoices;
  layout: Layout;
  /** The options to run it that the user has to choose from; empty: there is nothing to ask. */
  runOptions: readonly RunOptionView[];
  /** Whether there is a change that can be edited. */
  editable: boolean;
  edited: boolean;
  /** Something stands in the way of applying it. */
  blocked: boolean;
}

/** Whether the user has to say that a dangerous fix was read. */
function unread({ fix, choices }: ActionState): boolean {
  return fix.dangerous && !choices.read;
}

function installing(requirements: readonly string[]): string {
  return `Run %pip install ${requirements.join(' ')} in this cell's output, then run the cell again`;
}

/** What the button says: what is installed, or so many cells run, before this one. */
function runWords({ installs, first }: FixView): string {
  if (installs.length > 0) {
    return `Install ${installs.join(', ')} & run`;
  }
  return first.length === 0
    ? 'Accept & run'
    : `Run ${first.length === 1 ? '1 cell' : `${first.length} cells`} & this one`;
}

/** Whether there is something that the user has to answer before it can run. */
export function asks(state: ActionState): boolean {
  return unread(state) || state.runOptions.length > 0;
}

export class Actions {
  readonly node: HTMLElement;

  constructor(
    handlers: ActionHandlers,
    private _host: Pick<Host, 'shortcuts' | 'editsInDiff' | 'offersCopy'>
  ) {
    const { shortcuts } = _host;
    const keys = (shortcut: string) => (shortcut ? ` (${shortcut})` : '');
    const run = _host.offersCopy
      ? 'Run this fix: its output replaces the output of this cell'
      : 'Rewrite the cell with this fix and run it';
    this._runTitle = `${run}${keys(shortcuts.accept)}`;
    const { accept, reject, edit, discard, turn } = handlers;
    this._runOptions = new RunOptions(whole => accept(true, whole));
    this._run = button('Accept & run', this._runTitle, 'rx-primary rx-accept-run', () => accept(true, false));
    this._accept = button('Accept', 'Rewrite the cell with this fix, without running it', 'rx-accept', () =>
      accept(false, false)
    );
    this._edit = button('Edit', 'Change the fix before you accept it', 'rx-edit', edit);
    this._discard = button('Discard edits', 'Back to the fix as it was proposed', 'rx-discard', discard);
    this._turn = button(
      'Side by side',
      'Show old and new side by side, or one below the other',
      'rx-turn',
      turn
    );
    this._no = button('Reject', `Leave the cell as it is${keys(shortcuts.reject)}`, 'rx-reject', reject);
    this._read.type = 'checkbox';
    this._read.addEventListener('change', () => handlers.read(this._read.checked));
    this._tick = h('label', 'rx-tick', this._read, 'I have read it');
    this.node = h(
      'div',
      'rx-actions',
      this._tick,
      this._runOptions.node,
      this._run,
      this._accept,
      this._edit,
      this._discard,
      this._turn,
      this._no
    );
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', 'Decide on this fix');
  }

  /** Draws them; null: there is nothing to decide; a number: so many fixes have to be chosen from first. */
  update(state: ActionState | number | null): void {
    const choosing = typeof state === 'number';
    this.node.hidden = state === null;
    this.node.classList.toggle('rx-choosing', choosing);
    setText(this._no, choosing && state > 1 ? 'None of these' : 'Reject');
    if (state === null || choosing) {
      return;
    }
    const runnable = !state.blocked && !unread(state);
    this._tick.hidden = !state.fix.dangerous;
    this._read.checked = state.choices.read;
    this._runOptions.update(state.runOptions, runnable);
    this._run.hidden = state.runOptions.length > 0;
    this._run.disabled = !runnable;
    const { installs, edits } = state.fix;
    setText(this._run, runWords(state.fix));
    this._run.title = installs.length > 0 ? installing(installs) : this._runTitle;
    setText(this._accept, state.runOptions.length > 0 ? 'Only rewrite' : 'Accept');
    this._accept.disabled = state.blocked;
    // Nothing is installed, and no other cell runs, without a run: then there is nothing to accept but a change of a cell.
    const changes = edits.some(({ expected, source }) => expected !== source);
    const onlyRuns = (installs.length > 0 && !changes) || (state.fix.first.length > 0 && !state.editable);
    this._accept.hidden = this._host.offersCopy || onlyRuns;
    this._edit.hidden = state.choices.editing || !state.editable;
    this._discard.hidden = !state.choices.editing && !state.edited;
    this._turn.hidden = !changes || onlyRuns || (state.choices.editing && !this._host.editsInDiff);
    setText(this._turn, state.layout === 'split' ? 'Unified' : 'Side by side');
  }

  /** Gives the keyboard to what has to be answered first. */
  ask(state: ActionState): void {
    (unread(state) ? this._read : this._runOptions.first)?.focus();
  }

  private readonly _runTitle: string;
  private readonly _read = h('input', 'rx-read');
  private readonly _tick: HTMLElement;
  private readonly _runOptions: RunOptions;
  private readonly _run: HTMLButtonElement;
  private readonly _accept: HTMLButtonElement;
  private readonly _edit: HTMLButtonElement;
  private readonly _discard: HTMLButtonElement;
  private readonly _turn: HTMLButtonElement;
  private readonly _no: HTMLButtonElement;
}

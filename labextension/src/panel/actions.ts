/** The buttons that decide. */

import type { FixView, RunOptionView } from '../state';
import type { FixChoices } from './choices';
import { button, h, setText } from './dom';
import type { Host } from './host';
import { RunOptions } from './runoptions';
import { SplitButton } from './splitbutton';

export interface ActionHandlers {
  /** `whole`: all of it is to run, even where it could be resumed. */
  accept: (run: boolean, whole: boolean) => void;
  reject: () => void;
  edit: () => void;
  discard: () => void;
  read: (read: boolean) => void;
}

export interface ActionState {
  fix: FixView;
  choices: FixChoices;
  /** The options to run it that the user has to choose from; empty: there is nothing to ask. */
  runOptions: readonly RunOptionView[];
  /** Whether there is a change that can be edited. */
  editable: boolean;
  edited: boolean;
  /** It raised an error when it was tried. */
  fails: boolean;
  /** Something stands in the way of applying it. */
  blocked: boolean;
  /** The cell still runs: it is changed as it runs. */
  running: boolean;
}

/** Whether the user has to say that a dangerous fix was read. */
function unread({ fix, choices }: ActionState): boolean {
  return fix.dangerous && !choices.read;
}

function installing(requirements: readonly string[]): string {
  return `Run %pip install ${requirements.join(' ')} in this cell's output, then run the cell again`;
}

const RUNNING =
  'Rewrite the cell with this fix; it goes on with the new text, and what has run does not run again';

/** What the button says: which file is written, what is installed, or so many cells run, before this one. */
function runWords({ edits, installs, first }: FixView): string {
  const files = edits.filter(({ file, expected, source }) => file && expected !== source);
  if (files.length > 0 && installs.length === 0 && first.length === 0) {
    const name = files.length === 1 ? files[0]?.label.split('/').pop() : `${files.length} files`;
    return `Write ${name} & run`;
  }
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
    private _host: Pick<Host, 'shortcuts' | 'offersCopy'>
  ) {
    const { shortcuts } = _host;
    const keys = (shortcut: string) => (shortcut ? ` (${shortcut})` : '');
    const run = _host.offersCopy
      ? 'Run this fix: its output replaces the output of this cell'
      : 'Rewrite the cell with this fix and run it';
    const { accept, reject, edit, discard } = handlers;
    this._runOptions = new RunOptions(whole => accept(true, whole));
    this._run = new SplitButton(
      shortcuts.accept,
      run,
      () => accept(true, false),
      () => accept(false, false)
    );
    this._accept = button(
      'Accept without running',
      'Rewrite the cell with this fix, and leave it to you when it runs',
      'rx-accept',
      () => accept(false, false)
    );
    this._edit = button('Edit', 'Change the fix before you accept it', 'rx-edit', edit);
    this._discard = button('Discard edits', 'Back to the fix as it was proposed', 'rx-discard', discard);
    this._no = button('Reject', `Leave the cell as it is${keys(shortcuts.reject)}`, 'rx-reject', reject);
    this._read.type = 'checkbox';
    this._read.addEventListener('change', () => handlers.read(this._read.checked));
    this._tick = h('label', 'rx-tick', this._read, 'I have read it');
    this.node = h(
      'div',
      'rx-actions',
      this._tick,
      this._runOptions.node,
      this._run.node,
      this._accept,
      this._edit,
      this._discard,
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
    const { installs, edits } = state.fix;
    // Nothing is installed, and no other cell runs, without a run: then there is nothing to accept but a change of a cell.
    const changes = edits.some(({ expected, source }) => expected !== source);
    const onlyRuns = (installs.length > 0 && !changes) || (state.fix.first.length > 0 && !state.editable);
    const accepts = !this._host.offersCopy && !onlyRuns && !state.blocked;
    const asked = state.runOptions.length > 0;
    this._run.node.hidden = asked;
    this._run.update(
      state.running ? 'Change the running cell' : runWords(state.fix),
      state.running ? RUNNING : installs.length > 0 ? installing(installs) : '',
      runnable,
      accepts && !state.running,
      !state.fails
    );
    this._accept.hidden = !asked || !accepts;
    this._edit.hidden = state.choices.editing || !state.editable;
    this._discard.hidden = !state.choices.editing && !state.edited;
  }

  /** Gives the keyboard to what has to be answered first. */
  ask(state: ActionState): void {
    (unread(state) ? this._read : this._runOptions.first)?.focus();
  }

  private readonly _read = h('input', 'rx-read');
  private readonly _tick: HTMLElement;
  private readonly _runOptions: RunOptions;
  private readonly _run: SplitButton;
  private readonly _accept: HTMLButtonElement;
  private readonly _edit: HTMLButtonElement;
  private readonly _discard: HTMLButtonElement;
  private readonly _no: HTMLButtonElement;
}

/** The buttons that decide. */

import type { FixView } from '../state';
import type { FixChoices } from './choices';
import type { Layout } from './diffpane';
import { button, h, setText } from './dom';
import type { Host } from './host';

export interface ActionHandlers {
  accept: (run: boolean) => void;
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
  edited: boolean;
  /** Something stands in the way of applying it. */
  blocked: boolean;
}

/** Whether running may be asked for: nothing in the way, and a dangerous fix was read. */
export function mayRun({ fix, choices, blocked }: Pick<ActionState, 'fix' | 'choices' | 'blocked'>): boolean {
  return !blocked && (!fix.dangerous || choices.read);
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
      ? "Run this fix: what it puts out takes the place of this cell's output"
      : 'Rewrite the cell with this fix and run it';
    const runTitle = `${run}${keys(shortcuts.accept)}`;
    const { accept, reject, edit, discard, turn } = handlers;
    this._run = button('Accept & run', runTitle, 'rx-primary rx-accept-run', () => accept(true));
    this._accept = button('Accept', 'Rewrite the cell with this fix, without running it', 'rx-accept', () =>
      accept(false)
    );
    this._edit = button('Edit', 'Change the fix before you accept it', 'rx-edit', edit);
    this._discard = button('Discard edits', 'Back to the fix as it was proposed', 'rx-discard', discard);
    this._turn = button(
      'Side by side',
      'Show old and new next to each other, or below each other',
      'rx-turn',
      turn
    );
    const no = button('Reject', `Leave the cell as it is${keys(shortcuts.reject)}`, 'rx-reject', reject);
    this._read.type = 'checkbox';
    this._read.addEventListener('change', () => handlers.read(this._read.checked));
    this._tick = h('label', 'rx-tick', this._read, 'I have read it');
    this.node = h(
      'div',
      'rx-actions',
      this._tick,
      this._run,
      this._accept,
      this._edit,
      this._discard,
      this._turn,
      no
    );
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', 'Decide on this fix');
  }

  /** Draws them; null: there is nothing to decide. */
  update(state: ActionState | null): void {
    this.node.hidden = state === null;
    if (!state) {
      return;
    }
    this._tick.hidden = !state.fix.dangerous;
    this._read.checked = state.choices.read;
    this._run.disabled = !mayRun(state);
    this._accept.disabled = state.blocked;
    this._accept.hidden = this._host.offersCopy;
    this._edit.hidden = state.choices.editing;
    this._discard.hidden = !state.choices.editing && !state.edited;
    this._turn.hidden = state.choices.editing && !this._host.editsInDiff;
    setText(this._turn, state.layout === 'split' ? 'Unified' : 'Side by side');
  }

  private readonly _read = h('input');
  private readonly _tick: HTMLElement;
  private readonly _run: HTMLButtonElement;
  private readonly _accept: HTMLButtonElement;
  private readonly _edit: HTMLButtonElement;
  private readonly _discard: HTMLButtonElement;
  private readonly _turn: HTMLButtonElement;
}

/** The first line: whose panel, which error, where the fix comes from, and which of how many. */

import type { FixView, PanelState } from '../state';
import { button, h, setText } from './dom';

export class Header {
  readonly node: HTMLElement;

  constructor(turn: (by: number) => void, back: () => void) {
    this._previous = button('‹', 'The fix before this one', 'rx-quiet', () => turn(-1));
    this._next = button('›', 'The next fix', 'rx-quiet', () => turn(1));
    this._previous.setAttribute('aria-label', 'Previous fix');
    this._next.setAttribute('aria-label', 'Next fix');
    this._pager = h('span', 'rx-pager', this._previous, this._count, this._next);
    this._back = button('‹ Back to the choice', 'Show all fixes that may be meant', 'rx-quiet rx-back', back);
    this.node = h('header', 'rx-header', this._name, this._error, this._origin, this._pager, this._back);
  }

  /** Draws it. `saved`: all that is below comes from a file. `choice`: the fixes are chosen from, not leafed through. */
  update(state: PanelState, fix: FixView | null, saved: boolean, choice: boolean): void {
    setText(this._name, saved ? 'Reflex · saved' : 'Reflex');
    setText(this._error, state.error);
    this._error.title = state.error;
    setText(this._origin, fix?.origin ?? '');
    const index = fix ? state.fixes.indexOf(fix) : -1;
    this._back.hidden = !choice || fix === null;
    this._pager.hidden = choice || state.fixes.length < 2;
    setText(this._count, `${index + 1} of ${state.fixes.length}`);
    this._previous.disabled = index <= 0;
    this._next.disabled = index >= state.fixes.length - 1;
  }

  private readonly _name = h('span', 'rx-name');
  private readonly _error = h('span', 'rx-error');
  private readonly _origin = h('span', 'rx-origin');
  private readonly _count = h('span', 'rx-count');
  private readonly _pager: HTMLElement;
  private readonly _previous: HTMLButtonElement;
  private readonly _next: HTMLButtonElement;
  private readonly _back: HTMLButtonElement;
}

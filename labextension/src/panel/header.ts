/** The first line: whose panel, what is known of the fix, where it comes from, and which of how many. */

import type { FixView, PanelState } from '../state';
import type { Layout } from './diffpane';
import { button, h, setText } from './dom';
import { LayoutToggle } from './layouttoggle';
import { Verdict, type VerdictState } from './verdict';

export interface HeaderHandlers {
  /** Shows the fix so many further on. */
  leaf: (by: number) => void;
  /** Shows all that may be meant. */
  back: () => void;
  tryIt: () => void;
  /** Takes the decision back. */
  undo: () => void;
  /** Shows old and new the other way. */
  turn: () => void;
}

export interface HeaderState {
  /** The fix that is shown. */
  fix: FixView | null;
  /** All that is below comes from a file. */
  saved: boolean;
  /** The fixes are chosen from, not leafed through. */
  choice: boolean;
  verdict: VerdictState | null;
  /** How old and new are shown; null: there is nothing to be shown another way. */
  layout: Layout | null;
}

export class Header {
  readonly node: HTMLElement;

  constructor({ leaf, back, tryIt, undo, turn }: HeaderHandlers) {
    this._verdict = new Verdict(tryIt, undo);
    this._layout = new LayoutToggle(turn);
    this._previous = button('‹', 'The fix before this one', 'rx-quiet', () => leaf(-1));
    this._next = button('›', 'The next fix', 'rx-quiet', () => leaf(1));
    this._previous.setAttribute('aria-label', 'Previous fix');
    this._next.setAttribute('aria-label', 'Next fix');
    this._pager = h('span', 'rx-pager', this._previous, this._count, this._next);
    this._back = button('‹ Back to the choice', 'Show all fixes that may be meant', 'rx-quiet rx-back', back);
    const right = h('span', 'rx-header-right', this._origin, this._pager, this._back, this._layout.node);
    this.node = h('header', 'rx-header', this._name, this._verdict.node, right);
  }

  update(state: PanelState, { fix, saved, choice, verdict, layout }: HeaderState): void {
    setText(this._name, saved ? 'Reflex · saved' : 'Reflex');
    this._verdict.update(verdict);
    setText(this._origin, fix ? [fix.origin, fix.usage].filter(part => part).join(' · ') : '');
    const index = fix ? state.fixes.indexOf(fix) : -1;
    this._back.hidden = !choice || fix === null;
    this._pager.hidden = choice || state.fixes.length < 2;
    setText(this._count, `${index + 1} of ${state.fixes.length}`);
    this._previous.disabled = index <= 0;
    this._next.disabled = index >= state.fixes.length - 1;
    this._layout.update(layout);
  }

  private readonly _name = h('span', 'rx-name');
  private readonly _verdict: Verdict;
  private readonly _origin = h('span', 'rx-origin');
  private readonly _count = h('span', 'rx-count');
  private readonly _layout: LayoutToggle;
  private readonly _pager: HTMLElement;
  private readonly _previous: HTMLButtonElement;
  private readonly _next: HTMLButtonElement;
  private readonly _back: HTMLButtonElement;
}

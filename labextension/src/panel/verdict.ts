/** What is known of the shown fix, or what became of it, in one line: the first thing to read. */

import type { Notice } from '../state';
import { button, h } from './dom';
import { noticeLine } from './reasons';

/** What is to be drawn. `triable`: the fix can be tried just now; `undoable`: the decision can be taken back. */
export interface VerdictState {
  verdict: Notice;
  triable: boolean;
  undoable?: boolean;
}

export class Verdict {
  readonly node = h('div', 'rx-verdict');

  constructor(tryIt: () => void, undo: () => void) {
    const title = 'Run this fix in a copy of your kernel: the kernel itself and your files stay as they are';
    this._undo = button('Undo', 'Take this decision back', 'rx-quiet rx-undo', undo);
    this._try = button('Try it in a copy of your kernel', title, 'rx-try', tryIt);
  }

  /** Draws it; null: there is nothing to say. */
  update(state: VerdictState | null): void {
    const drawn = JSON.stringify(state);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      const buttons = [...(state?.triable ? [this._try] : []), ...(state?.undoable ? [this._undo] : [])];
      this.node.replaceChildren(...(state ? [noticeLine(state.verdict, ...buttons)] : []));
    }
    this.node.hidden = state === null;
  }

  private readonly _try: HTMLButtonElement;
  private readonly _undo: HTMLButtonElement;
  private _drawn = '';
}

/** What is known of the shown fix, or what became of it, in one line: the first thing to read. */

import type { Notice } from '../state';
import { button, h } from './dom';
import { noticeLine } from './reasons';

/** What is to be drawn. `triable`: the fix can be tried just now. */
export interface VerdictState {
  verdict: Notice;
  triable: boolean;
}

export class Verdict {
  readonly node = h('div', 'rx-verdict');

  constructor(tryIt: () => void) {
    const title = 'Run this fix in a copy of your kernel: the kernel itself and your files stay as they are';
    this._try = button('Try it in a copy of your kernel', title, 'rx-try', tryIt);
  }

  /** Draws it; null: there is nothing to say. */
  update(state: VerdictState | null): void {
    const drawn = JSON.stringify(state);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this.node.replaceChildren(
        ...(state ? [noticeLine(state.verdict, ...(state.triable ? [this._try] : []))] : [])
      );
    }
    this.node.hidden = state === null;
  }

  private readonly _try: HTMLButtonElement;
  private _drawn = '';
}

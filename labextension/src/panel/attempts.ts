/** What came of each attempt at code that was asked for in words, in their order. */

import type { Notice } from '../state';
import { h } from './dom';
import { noticeLine } from './reasons';

export class Attempts {
  readonly node = h('ol', 'rx-attempts');

  constructor() {
    this.node.setAttribute('aria-label', 'The attempts');
    this.node.setAttribute('aria-live', 'polite');
  }

  /** Draws them. A single one that ran is what the panel shows anyway. `working`: another one may follow. */
  update(attempts: readonly Notice[], working: boolean): void {
    const shown = attempts.length > 1 || (working && attempts.length > 0) ? attempts : [];
    this.node.hidden = shown.length === 0;
    const drawn = JSON.stringify(shown);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this.node.replaceChildren(...shown.map(attempt => h('li', '', noticeLine(attempt))));
    }
  }

  private _drawn = '[]';
}

/** What there is to say besides; read out by screen readers when it changes. */

import type { Notice } from '../state';
import { button, h, setText } from './dom';
import { noticeLine } from './reasons';

const COPY = 'Copy fixed source';

export class Notices {
  readonly node = h('div', 'rx-notices');

  constructor(copy: () => Promise<boolean>) {
    const click = () =>
      void copy().then(copied => setText(this._copy, copied ? 'Copied' : 'Could not be copied'));
    this._copy = button(COPY, 'Put the fixed source on the clipboard', 'rx-copy', click);
    this._lines.setAttribute('role', 'status');
    this._lines.setAttribute('aria-live', 'polite');
    this.node.append(this._lines, this._copy);
  }

  /** Draws the lines; `copy`: the fixed source is offered to be taken by hand. */
  update(notices: readonly Notice[], copy: boolean): void {
    const drawn = JSON.stringify([notices, copy]);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      setText(this._copy, COPY);
      this._lines.replaceChildren(...notices.map(notice => noticeLine(notice)));
      this._copy.hidden = !copy;
    }
    this.node.hidden = notices.length === 0 && !copy;
  }

  private readonly _lines = h('div', 'rx-notice-lines');
  private readonly _copy: HTMLButtonElement;
  private _drawn = '';
}

/** Why the fix is right, and what is known of it. */

import type { FixView, Notice } from '../state';
import { h, prose } from './dom';
import { EDITED } from './words';

const SIGNS = { plain: '·', good: '✓', warning: '⚠', bad: '✕' };

/** A line of text behind a sign, so that colour is never the only signal. */
export function noticeLine(notice: Notice): HTMLElement {
  const sign = h('span', 'rx-sign', SIGNS[notice.tone]);
  sign.setAttribute('aria-hidden', 'true');
  return h('div', `rx-line rx-${notice.tone}`, sign, h('span', '', ...prose(notice.text)));
}

export class Reasons {
  readonly node = h('div', 'rx-reasons');

  /** Draws it; of a fix that was `edited`, the verdict is not known any more. */
  update(fix: FixView | null, edited: boolean): void {
    const drawn = JSON.stringify(fix && [fix.explanation, fix.verdict, fix.findings, fix.usage, edited]);
    if (drawn === this._drawn) {
      return;
    }
    this._drawn = drawn;
    this.node.replaceChildren(...(fix ? this._draw(fix, edited) : []));
  }

  private _draw(fix: FixView, edited: boolean): HTMLElement[] {
    const verdict = noticeLine(edited ? EDITED : fix.verdict);
    verdict.classList.add('rx-verdict');
    if (fix.usage) {
      verdict.append(h('span', 'rx-usage', fix.usage));
    }
    const explanation = h('p', 'rx-explanation', ...prose(fix.explanation));
    return [...(fix.explanation ? [explanation] : []), verdict, ...fix.findings.map(noticeLine)];
  }

  private _drawn = '';
}

/** Why the fix is right, and what is known of it. */

import type { FixView, Notice } from '../state';
import { h, prose } from './dom';

const SIGNS = { plain: '·', good: '✓', warning: '⚠', bad: '✕' };

/** A line of text behind a sign, so that colour is never the only signal. */
export function noticeLine(notice: Notice): HTMLElement {
  const sign = h('span', 'rx-sign', SIGNS[notice.tone]);
  sign.setAttribute('aria-hidden', 'true');
  return h('div', `rx-line rx-${notice.tone}`, sign, h('span', '', ...prose(notice.text)));
}

export class Reasons {
  readonly node = h('div', 'rx-reasons');

  /** Draws it; `verdict`: what is known of the fix by now, if the kernel's verdict on it does not count any more. */
  update(fix: FixView | null, verdict: Notice | null): void {
    const drawn = JSON.stringify(fix && [fix.explanation, fix.verdict, fix.findings, fix.usage, verdict]);
    if (drawn === this._drawn) {
      return;
    }
    this._drawn = drawn;
    this.node.replaceChildren(...(fix ? this._draw(fix, verdict ?? fix.verdict) : []));
  }

  private _draw(fix: FixView, verdict: Notice): HTMLElement[] {
    const line = noticeLine(verdict);
    line.classList.add('rx-verdict');
    if (fix.usage) {
      line.append(h('span', 'rx-usage', fix.usage));
    }
    const explanation = h('p', 'rx-explanation', ...prose(fix.explanation));
    return [...(fix.explanation ? [explanation] : []), line, ...fix.findings.map(noticeLine)];
  }

  private _drawn = '';
}

/** Why the fix is right, and what is known of it. */

import type { FixView, Notice } from '../state';
import type { FixChoices } from './choices';
import { button, h, prose } from './dom';
import { PreviewFold } from './preview';

const SIGNS = { plain: '·', good: '✓', warning: '⚠', bad: '✕' };

/** A line of text behind a sign, so that colour is never the only signal; `more`: what stands after it. */
export function noticeLine(notice: Notice, ...more: HTMLElement[]): HTMLElement {
  const sign = h('span', 'rx-sign', SIGNS[notice.tone]);
  sign.setAttribute('aria-hidden', 'true');
  const said = h('span', 'rx-said', h('span', '', ...prose(notice.text)), ...more);
  return h('div', `rx-line rx-${notice.tone}`, sign, said);
}

/** What is to be drawn. */
export interface ReasonState {
  fix: FixView;
  choices: FixChoices;
  /** What is known of the fix by now, if the kernel's verdict on it does not count any more. */
  instead: Notice | null;
  /** Whether it can be tried just now. */
  triable: boolean;
}

/** All that stands in the lines; what is folded below them draws itself. */
function words({ explanation, verdict, findings, usage, preview }: FixView) {
  return [explanation, verdict, findings, usage, preview !== null];
}

export class Reasons {
  readonly node = h('div', 'rx-reasons');

  constructor(tryIt: () => void) {
    const title = 'Run this fix in a copy of your kernel: the kernel itself and your files stay as they are';
    this._try = button('Try it in a copy of your kernel', title, 'rx-try', tryIt);
  }

  /** Draws it; null: there is nothing to give reasons for. */
  update(state: ReasonState | null): void {
    if (state) {
      this._preview.update(state.fix, state.choices);
    }
    const drawn = state && JSON.stringify([words(state.fix), state.instead, state.triable]);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this.node.replaceChildren(...(state ? this._draw(state) : []));
    }
  }

  private _draw({ fix, instead, triable }: ReasonState): HTMLElement[] {
    const line = noticeLine(instead ?? fix.verdict, ...(triable ? [this._try] : []));
    line.classList.add('rx-verdict');
    if (fix.usage) {
      line.append(h('span', 'rx-usage', fix.usage));
    }
    return [
      ...(fix.explanation ? [h('p', 'rx-explanation', ...prose(fix.explanation))] : []),
      line,
      ...(fix.preview && !instead ? [this._preview.node] : []),
      ...fix.findings.map(finding => noticeLine(finding))
    ];
  }

  private readonly _preview = new PreviewFold();
  private readonly _try: HTMLButtonElement;
  private _drawn: string | null = null;
}

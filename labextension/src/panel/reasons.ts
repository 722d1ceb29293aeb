/** Why the fix is right, what was seen when it was tried, and what a reviewer would want to know. */

import type { FixView, Notice } from '../state';
import type { FixChoices } from './choices';
import { h, prose } from './dom';
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
  /** Whether what was seen when it was tried still counts. */
  seen: boolean;
}

/** All that stands in the lines; what is folded below them draws itself. */
function words({ explanation, findings, preview }: FixView) {
  return [explanation, findings, preview !== null];
}

export class Reasons {
  readonly node = h('div', 'rx-reasons');

  /** Draws it; null: there is nothing to give reasons for. */
  update(state: ReasonState | null): void {
    if (state) {
      this._preview.update(state.fix, state.choices);
    }
    const drawn = state && JSON.stringify([words(state.fix), state.seen]);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this.node.replaceChildren(...(state ? this._draw(state) : []));
    }
  }

  private _draw({ fix, seen }: ReasonState): HTMLElement[] {
    return [
      ...(fix.explanation ? [h('p', 'rx-explanation', ...prose(fix.explanation))] : []),
      ...(fix.preview && seen ? [this._preview.node] : []),
      ...fix.findings.map(finding => noticeLine(finding))
    ];
  }

  private readonly _preview = new PreviewFold();
  private _drawn: string | null = null;
}

/** What other fixes come to that ran as well, where one is so much likelier that nobody is asked which is meant. */

import type { FixView } from '../state';
import { button, h, prose } from './dom';
import * as words from './words';

const MOST = 4;

export class OtherFixes {
  readonly node = h('div', 'rx-others');

  constructor(private _show: (fix: FixView) => void) {
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', words.OTHERS);
  }

  /** Draws those that come to something else than the one that is shown; null: none is shown to be decided on. */
  update(fixes: readonly FixView[], shown: FixView | null): void {
    const others = shown && ran(shown) ? fixes.filter(fix => ran(fix) && fix.gives !== shown.gives) : [];
    this.node.hidden = others.length === 0;
    const drawn = JSON.stringify([shown?.id, fixes.map(fix => [fix.id, fix.gives])]);
    if (drawn === this._drawn) {
      return;
    }
    this._drawn = drawn;
    const own = h('span', 'rx-own', ...prose(words.comesTo(shown?.gives ?? '')));
    const chips = others.slice(0, MOST).map(fix => this._chip(fix, fixes.indexOf(fix) + 1));
    const more = others.length > MOST ? [h('span', 'rx-own', words.andMore(others.length - MOST))] : [];
    this.node.replaceChildren(own, ...chips, ...more);
  }

  private _chip(fix: FixView, number: number): HTMLElement {
    const chip = button('', words.SHOW_OTHER, 'rx-other', () => this._show(fix));
    chip.append(...prose(words.otherComesTo(number, fix.gives)));
    return chip;
  }

  private _drawn = '';
}

/** Whether it ran, and what it came to is known. */
function ran(fix: FixView): boolean {
  return fix.gives !== '' && fix.verdict.tone === 'good';
}

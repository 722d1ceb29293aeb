/** The ways to run a fix where running does something again: a button for each, and next to it what that is. */

import type { RunOptionView } from '../state';
import { button, h, prose } from './dom';

export class Ways {
  readonly node = h('div', 'rx-ways');

  constructor(private _run: (whole: boolean) => void) {}

  /** The button of the first way. */
  get first(): HTMLButtonElement | null {
    return this._buttons[0] ?? null;
  }

  update(ways: readonly RunOptionView[], possible: boolean): void {
    const drawn = JSON.stringify(ways);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this._buttons = ways.map(way => this._button(way));
      this.node.replaceChildren(
        ...ways.flatMap((way, index) => [
          ...this._buttons.slice(index, index + 1),
          h('span', 'rx-repeats', ...prose(way.repeats))
        ])
      );
    }
    this.node.hidden = ways.length === 0;
    for (const each of this._buttons) {
      each.disabled = !possible;
    }
  }

  private _button({ whole, label, repeats }: RunOptionView): HTMLButtonElement {
    const title = `Rewrite the cell with this fix and run it; ${repeats}`;
    return button(label, title, whole ? 'rx-way rx-whole' : 'rx-way', () => this._run(whole));
  }

  private _buttons: HTMLButtonElement[] = [];
  private _drawn = '[]';
}

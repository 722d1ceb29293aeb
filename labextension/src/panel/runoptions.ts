/** The options to run a fix where running does something again: a button for each, and next to it what that is. */

import type { RunOptionView } from '../state';
import { button, h, prose } from './dom';

export class RunOptions {
  readonly node = h('div', 'rx-run-options');

  constructor(private _run: (whole: boolean) => void) {}

  /** The button of the first option. */
  get first(): HTMLButtonElement | null {
    return this._buttons[0] ?? null;
  }

  update(options: readonly RunOptionView[], possible: boolean): void {
    const drawn = JSON.stringify(options);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this._buttons = options.map(option => this._button(option));
      this.node.replaceChildren(
        ...options.flatMap((option, index) => [
          ...this._buttons.slice(index, index + 1),
          h('span', 'rx-repeats', ...prose(option.repeats))
        ])
      );
    }
    this.node.hidden = options.length === 0;
    for (const each of this._buttons) {
      each.disabled = !possible;
    }
  }

  private _button({ whole, label, repeats }: RunOptionView): HTMLButtonElement {
    const title = `Rewrite the cell with this fix and run it; ${repeats}`;
    return button(label, title, whole ? 'rx-run-option rx-whole' : 'rx-run-option', () => this._run(whole));
  }

  private _buttons: HTMLButtonElement[] = [];
  private _drawn = '[]';
}

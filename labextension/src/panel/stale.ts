/** Cells whose results are of values that an accepted fix has replaced: they run again at a click. */

import type { CellRef } from '../state';
import { button, h, setText } from './dom';

const TITLE = 'Run these cells again, one after the other; the first that fails is the last';

export class Stale {
  readonly node = h('div', 'rx-stale');

  constructor(private _run: ((cells: CellRef[]) => void) | null) {
    this._button = button('Run them', TITLE, 'rx-primary rx-run-again', () => this._run?.(this._cells));
    this.node.append(this._button);
  }

  /** Draws what can run again; the words stand above it. */
  update(cells: CellRef[]): void {
    this._cells = cells;
    this.node.hidden = cells.length === 0 || this._run === null;
    setText(this._button, cells.length === 1 ? 'Run it' : 'Run them');
  }

  private readonly _button: HTMLButtonElement;
  private _cells: CellRef[] = [];
}

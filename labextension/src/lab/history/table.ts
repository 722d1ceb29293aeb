/** The repairs, a row each; a row opens its details. */

import { button, h } from '../../panel/dom';
import type { Line } from './served';

const COLUMNS = ['When', 'Outcome', 'Error', 'Fix by', 'Notebook'];

export class Table {
  readonly node = h('div', 'rx-table');

  /** `open`: is given the repair whose row was chosen. */
  constructor(private _open: (line: Line) => void) {
    const head = COLUMNS.map(name => {
      const cell = h('th', '', name);
      cell.scope = 'col';
      return cell;
    });
    this.node.append(h('table', '', h('thead', '', h('tr', '', ...head)), this._rows));
  }

  update(lines: readonly Line[], chosen: string | null): void {
    this._rows.replaceChildren(...lines.map(line => this._row(line)));
    this.mark(chosen);
  }

  /** Shows which one the details are of. */
  mark(chosen: string | null): void {
    for (const row of this._rows.rows) {
      row.classList.toggle('rx-chosen', row.dataset.id === chosen);
      row.querySelector('button')?.setAttribute('aria-expanded', String(row.dataset.id === chosen));
    }
  }

  private _row(line: Line): HTMLTableRowElement {
    const notebook = h('td', 'rx-notebook', nameOf(line.notebook));
    notebook.title = line.notebook;
    const title = button(line.title, 'Show the details', 'rx-link', () => this._open(line));
    const row = h(
      'tr',
      '',
      h('td', 'rx-when', when(line.at)),
      h('td', '', line.outcome),
      h('td', 'rx-title', title),
      h('td', '', line.rule || line.model || line.provider),
      notebook
    );
    row.dataset.id = line.id;
    return row;
  }

  private readonly _rows = h('tbody');
}

/** A path's last part. */
export function nameOf(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}

function when(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime())
    ? at
    : time.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

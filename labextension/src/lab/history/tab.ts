/** "Reflex: History" in the main area: what became of all repairs, which ones there were, and one in detail. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { Widget } from '@lumino/widgets';
import { button, h, setText } from '../../panel/dom';
import { drawCharts } from './charts';
import { Details } from './details';
import { Filters } from './filters';
import { type Lines, lines, type Statistics, statistics } from './served';
import { Table } from './table';

/** Rows at first, and so many more with each click. */
const STEP = 100;
const MOST = 500;

export class HistoryTab extends Widget {
  constructor(
    tracker: INotebookTracker,
    private _rendermime: IRenderMimeRegistry,
    show: (panel: NotebookPanel) => void
  ) {
    super();
    this.addClass('rx-panel');
    this.addClass('rx-history');
    this._details = new Details(tracker, _rendermime, show, () => this._detailsClosed());
    const again = button('Refresh', 'Read the history again', '', () => void this.refresh());
    const header = h('div', 'rx-header', h('h2', 'rx-name', 'Reflex: History'), again);
    const list = h('div', 'rx-list', this._filters.node, this._said, this._table.node, this._more);
    const charts = h('details', 'rx-charts', h('summary', 'rx-summary', 'Charts'), this._charts);
    charts.addEventListener('toggle', () => charts.open && this._draw());
    this._said.setAttribute('role', 'status');
    this.node.append(header, this._summary, charts, h('div', 'rx-columns', list, this._details.node));
    new MutationObserver(() => this._draw()).observe(document.body, {
      attributeFilter: ['data-jp-theme-light']
    });
    this._chartsShown = charts;
  }

  /** Reads all of it again. */
  async refresh(): Promise<void> {
    await Promise.all([this._readStatistics(), this._list()]);
  }

  protected override onAfterAttach(): void {
    void this.refresh();
  }

  protected override onActivateRequest(): void {
    this._filters.focus();
  }

  private async _readStatistics(): Promise<void> {
    try {
      this._statistics = await statistics();
    } catch (reason) {
      this._statistics = null;
      setText(this._summary, wordsOf(reason));
    }
    const found = this._statistics;
    this._chartsShown.hidden = !found?.charts.length;
    this.node.classList.toggle('rx-empty', !found?.repairs);
    if (found) {
      setText(this._summary, found.summary);
      this._filters.update(found.values);
      this._draw();
    }
  }

  /** Lists what the filters mean; an answer that comes late, to an older question, is none. */
  private async _list(count = STEP): Promise<void> {
    const asked = ++this._asked;
    this._count = count;
    let found: Lines = { repairs: [], more: false };
    let trouble = '';
    try {
      found = await lines(this._filters.filter, count);
    } catch (reason) {
      trouble = wordsOf(reason);
    }
    if (asked === this._asked) {
      this._table.update(found.repairs, this._details.shown);
      this._more.hidden = !found.more || count >= MOST;
      setText(this._said, trouble || this._counted(found));
    }
  }

  private _counted({ repairs, more }: Lines): string {
    if (!repairs.length) {
      return 'No repair fits these filters.';
    }
    const counted = `${repairs.length} ${repairs.length === 1 ? 'repair' : 'repairs'}`;
    return more
      ? `The latest ${counted}.${repairs.length >= MOST ? ' Filter to find older ones.' : ''}`
      : counted;
  }

  private _draw(): void {
    if (this._statistics && this._chartsShown.open && this.isAttached) {
      drawCharts(this._charts, this._statistics.charts, this._rendermime).catch(reason =>
        this._charts.replaceChildren(
          h('p', 'rx-trouble', `The charts could not be drawn: ${wordsOf(reason)}`)
        )
      );
    }
  }

  private _detailsClosed(): void {
    const row = this._opened;
    this._opened = null;
    this._table.mark(null);
    row?.focus();
  }

  private readonly _summary = h('p', 'rx-figures');
  private readonly _charts = h('div', 'rx-chart-grid');
  private readonly _chartsShown: HTMLDetailsElement;
  private readonly _filters = new Filters(() => void this._list());
  private readonly _said = h('p', 'rx-dim');
  private readonly _table = new Table(line => {
    this._opened = document.activeElement as HTMLElement | null;
    void this._details.open(line);
    this._table.mark(line.id);
  });
  private readonly _more = button(
    'Show more',
    'List older repairs as well',
    '',
    () => void this._list(Math.min(MOST, this._count + STEP))
  );
  private readonly _details: Details;
  private _opened: HTMLElement | null = null;
  private _statistics: Statistics | null = null;
  private _count = STEP;
  private _asked = 0;
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** One repair: its log, as Markdown that JupyterLab draws and makes harmless, and the way to its cell. */

import { type INotebookTracker, NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { button, h } from '../../panel/dom';
import { findCell } from '../cells';
import { type Line, log } from './served';
import { nameOf } from './table';

const MARKDOWN = 'text/markdown';

export class Details {
  readonly node = h('section', 'rx-details');

  /** `show`: brings a notebook to the front. `closed`: is called when the reader closes it. */
  constructor(
    private _tracker: INotebookTracker,
    private _rendermime: IRenderMimeRegistry,
    private _show: (panel: NotebookPanel) => void,
    private _closed: () => void
  ) {
    this.node.setAttribute('aria-label', 'Details of the repair');
    this.node.tabIndex = -1;
    this.node.hidden = true;
  }

  /** The id of the repair that it shows. */
  get shown(): string | null {
    return this._line?.id ?? null;
  }

  async open(line: Line): Promise<void> {
    this._line = line;
    this.node.hidden = false;
    this.node.replaceChildren(this._bar(line), h('p', '', 'Reading…'));
    this.node.scrollTop = 0;
    const body = await this._body(line);
    if (this._line === line) {
      this.node.replaceChildren(this._bar(line), body);
      this.node.focus({ preventScroll: true });
    }
  }

  close(): void {
    this._line = null;
    this.node.hidden = true;
    this._closed();
  }

  private _bar(line: Line): HTMLElement {
    const found = this._cell(line);
    const where = found
      ? button('Open the cell', `Go to the cell in ${nameOf(line.notebook)}`, 'rx-open-cell', () =>
          this._goTo(line)
        )
      : h('span', 'rx-dim', 'Its cell is in no notebook that is open.');
    return h(
      'div',
      'rx-bar',
      where,
      button('Close', 'Close the details', 'rx-quiet', () => this.close())
    );
  }

  private async _body(line: Line): Promise<HTMLElement> {
    try {
      const renderer = this._rendermime.createRenderer(MARKDOWN);
      const data = { [MARKDOWN]: await log(line.id) };
      await renderer.renderModel(this._rendermime.createModel({ data, trusted: false }));
      colourDiffs(renderer.node);
      return renderer.node;
    } catch (reason) {
      return h('p', 'rx-trouble', reason instanceof Error ? reason.message : String(reason));
    }
  }

  private _cell(line: Line): NotebookPanel | null {
    const id = line.cell_id;
    const isIt = (panel: NotebookPanel) =>
      nameOf(panel.context.path) === nameOf(line.notebook) && findCell(panel, id, null) !== null;
    return (id && this._tracker.find(isIt)) || null;
  }

  private _goTo(line: Line): void {
    const panel = this._cell(line);
    const cell = panel && findCell(panel, line.cell_id, null);
    if (!cell) {
      void this.open(line); // it was closed or deleted meanwhile, which is said
      return;
    }
    this._show(panel);
    NotebookActions.expandParent(cell, panel.content);
    panel.content.deselectAll();
    panel.content.activeCellIndex = panel.content.widgets.indexOf(cell);
    panel.content.mode = 'command';
    panel.content.activate();
    void panel.content.scrollToItem(panel.content.activeCellIndex, 'smart');
  }

  private _line: Line | null = null;
}

/** JupyterLab knows no colours for what was taken away and what came. */
function colourDiffs(node: HTMLElement): void {
  for (const code of node.querySelectorAll('pre code.language-diff')) {
    const lines = (code.textContent ?? '').split(/(?<=\n)/);
    const kinds: Record<string, string> = { '+': 'rx-added', '-': 'rx-removed' };
    code.replaceChildren(...lines.map(line => h('span', kinds[line[0] ?? ''] ?? '', line)));
  }
}

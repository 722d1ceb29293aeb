/** The panel as the renderer of a cell's output. */

import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';
import type { Host } from '../panel/host';
import { PanelView } from '../panel/view';
import { type FixView, MIME, type PanelState } from '../state';
import { findCell, findNotebook, obstacleOf } from './cells';
import type { KernelLinks } from './links';
import { MergePane } from './mergepane';
import type { Preferences } from './preferences';
import type { Repairs } from './repairs';

/** What a renderer uses of the page. */
export interface Page {
  tracker: INotebookTracker;
  links: KernelLinks;
  repairs: Repairs;
  preferences: Preferences;
  languages: IEditorLanguageRegistry;
  shortcuts: Host['shortcuts'];
}

type Language = ConstructorParameters<typeof MergePane>[2];

export class RepairRenderer extends Widget implements IRenderMime.IRenderer {
  constructor(private _page: Page) {
    super();
    this.addClass('reflex-output');
    _page.links.changed.connect(this._refresh, this);
    _page.preferences.changed.connect(this._refresh, this);
  }

  async renderModel(mime: IRenderMime.IMimeModel): Promise<void> {
    const state = mime.data[MIME] as unknown as PanelState;
    const language = (await this._page.languages.getLanguage('python'))?.support ?? [];
    if (this.isDisposed) {
      return;
    }
    const model = this._page.repairs.drawn(state);
    if (this._view?.model !== model) {
      this._view?.dispose();
      this._view = new PanelView(model, this._host(language));
      this.node.append(this._view.node);
      this._watchCells();
    }
  }

  get open(): boolean {
    return this._view?.open ?? false;
  }

  get view(): PanelView | null {
    return this._view;
  }

  /** The notebook that this is in; kept, since a notebook takes outputs that are out of sight out of the page. */
  get notebook(): NotebookPanel | null {
    if (this._notebook?.isDisposed) {
      this._notebook = null;
    }
    if (!this._notebook && this.isAttached) {
      this._notebook = findNotebook(this._page.tracker, this.node, this._view?.model.state.cell.id ?? null);
    }
    return this._notebook;
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this._endWatch();
      this._view?.dispose();
      super.dispose(); // clears the signals' connections, too
    }
  }

  protected override onAfterAttach(): void {
    this._watchCells();
    this._refresh();
  }

  private _host(language: Language): Host {
    const { links, preferences, shortcuts } = this._page;
    return {
      makePane: (parent, options) => new MergePane(parent, options, language),
      layout: () => preferences.layout,
      send: message => (links.of(this.notebook)?.send(message) ?? null) !== null,
      bond: session => links.of(this.notebook)?.bond(session) ?? 'absent',
      obstacle: fix => this._obstacle(fix),
      editsInDiff: true,
      offersCopy: false,
      shortcuts
    };
  }

  private _obstacle(fix: FixView) {
    const panel = this.notebook;
    if (!panel) {
      return null; // not on the page yet; asked again when it is
    }
    const found = fix.edits.map(({ cell, expected, label }) => {
      const why = obstacleOf(panel, { cell: cell.id, expected }, this.node);
      return why && { why, cell: label };
    });
    return found.find(obstacle => obstacle !== null) ?? null;
  }

  /** Looks again whenever the source of a cell changes that the repair is about, or cells come and go. */
  private _watchCells(): void {
    const panel = this.notebook;
    const state = this._view?.model.state;
    if (!panel || !state) {
      return;
    }
    this._endWatch();
    const ids = new Set([state.cell.id, ...state.fixes.flatMap(fix => fix.edits.map(edit => edit.cell.id))]);
    const shared = [...ids].map(id => findCell(panel, id, this.node)?.model.sharedModel);
    for (const source of shared) {
      source?.changed.connect(this._cellChanged, this);
    }
    const cells = panel.content.model?.cells;
    cells?.changed.connect(this._refresh, this);
    this._endWatch = () => {
      for (const source of shared) {
        source?.changed.disconnect(this._cellChanged, this);
      }
      cells?.changed.disconnect(this._refresh, this);
      this._endWatch = () => undefined;
    };
  }

  private _cellChanged(_: unknown, change: { sourceChange?: unknown }): void {
    if (change.sourceChange) {
      this._refresh();
    }
  }

  private _refresh(): void {
    if (!this.isDisposed) {
      this._view?.update();
    }
  }

  private _view: PanelView | null = null;
  private _notebook: NotebookPanel | null = null;
  private _endWatch: () => void = () => undefined;
}

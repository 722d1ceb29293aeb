/** The panel as the renderer of a cell's output. */

import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';
import { Wrong } from '../checks';
import type { ApplyStatus } from '../frompage';
import { damaged } from '../panel/damaged';
import { hasKeyboard } from '../panel/focus';
import type { Host, Standing } from '../panel/host';
import { Press } from '../panel/press';
import { RepairModel } from '../panel/repair';
import { PanelView } from '../panel/view';
import * as words from '../panel/words';
import { type FixView, MIME, type PanelState } from '../state';
import { panelOf } from '../valid';
import type { Applier } from './applier';
import { cellAround, findCell, findNotebook, giveKeyboard, obstacleOf, obstacleOfRun } from './cells';
import { goTo } from './goto';
import type { KernelLink } from './link';
import type { KernelLinks } from './links';
import { MergePane } from './mergepane';
import type { Preferences } from './preferences';

/** Milliseconds without a key after which the kernel is asked about a cell that the user has changed. */
const PAUSE = 300;
/** What a cell has that shows a panel of another one: `%reflex fix`, or code that speaks with the extension. */
const COMMAND = /reflex/;

/** What a renderer uses of the page. */
export interface Page {
  tracker: INotebookTracker;
  links: KernelLinks;
  applier: Applier;
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
    // Without what marks built-in names: that sees no removed lines, so `print` would look changed.
    this._language = (await this._page.languages.getLanguage('python'))?.support?.language ?? [];
    if (this.isDisposed) {
      return;
    }
    try {
      this._keep(panelOf(mime.data[MIME]));
      this._draw();
    } catch (reason) {
      if (!(reason instanceof Wrong)) {
        throw reason;
      }
      this._drop();
      this.node.replaceChildren(damaged(reason.message, mime.data['text/plain']));
    }
  }

  get open(): boolean {
    return this._view?.open ?? false;
  }

  get view(): PanelView | null {
    return this._view;
  }

  /** Whether it is below the cell that it is about. */
  get isOwn(): boolean {
    return this._saved !== null && this._isOwnCell(this._saved);
  }

  /** The notebook that this is in; kept, since a notebook takes outputs that are out of sight out of the page. */
  get notebook(): NotebookPanel | null {
    if (this._notebook?.isDisposed) {
      this._notebook = null;
    }
    if (!this._notebook && this.isAttached) {
      this._notebook = findNotebook(this._page.tracker, this.node, this._saved?.cell.id ?? null);
    }
    return this._notebook;
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this._drop();
      super.dispose(); // clears the signals' connections, too
    }
  }

  protected override onAfterAttach(): void {
    this._draw();
  }

  /** The cell runs again, or its output is cleared: the keyboard is not lost with the panel. */
  protected override onBeforeDetach(): void {
    if (hasKeyboard(this.node)) {
      this._toCell();
    }
  }

  /** Takes what the output has; the same document stays the same object, which the kernel is asked about once. */
  private _keep(saved: PanelState): void {
    if (JSON.stringify(saved) !== JSON.stringify(this._saved)) {
      this._saved = saved;
      this._picture = new RepairModel(saved);
    }
  }

  /** Draws what the kernel says of this repair; where it says nothing, what was saved, as a picture. */
  private _draw(): void {
    if (this.isDisposed || !this.isAttached || !this._picture) {
      return; // which notebook this is in, and so which kernel counts, is only known on the page
    }
    this._standing = this._findStanding(this._picture.state);
    const model = (this._standing === 'live' && this._told) || this._picture;
    if (this._view?.model === model) {
      this._view.update();
      return;
    }
    const had = hasKeyboard(this.node);
    this._view?.dispose();
    this._view = new PanelView(model, this._host(this._language));
    this._press.follow(this._view.node);
    this.node.replaceChildren(this._view.node);
    if (had) {
      this._view.focus();
    }
    this._watchCells();
  }

  /** What the notebook's kernel has told of the repair that was saved here. */
  private get _told(): RepairModel | undefined {
    return this._link?.repairs.get(this._saved?.repair ?? '');
  }

  private get _link(): KernelLink | null {
    return this._page.links.of(this.notebook);
  }

  private _findStanding(saved: PanelState): Standing {
    const link = this._link;
    const own = this._isOwnCell(saved);
    if (!link) {
      return words.isRecord(saved) ? 'record' : this.notebook ? 'absent' : 'outside';
    }
    // What the history knows comes alive in its own place only: elsewhere it would speak of a cell that is not seen.
    const repairs = link.repairs;
    if (repairs.get(saved.repair) && (own || !repairs.recalled(saved.repair))) {
      return !this._isCopied(saved) ? 'live' : words.isRecord(saved) ? 'record' : 'copied';
    }
    if (words.isRecord(saved)) {
      return 'record';
    }
    return own ? link.standingOf(saved) : 'elsewhere';
  }

  /** Whether it came into this cell with a copy of its own, and was not shown here by a command. */
  private _isCopied({ cell }: PanelState): boolean {
    const panel = this.notebook;
    const around = panel && cellAround(panel.content, this.node);
    const here = around && around.model.id !== cell.id && findCell(panel, cell.id, null) !== null;
    return !!here && cell.id !== null && !COMMAND.test(around.model.sharedModel.getSource());
  }

  private _isOwnCell(saved: PanelState): boolean {
    const panel = this.notebook;
    return panel !== null && findCell(panel, saved.cell.id, this.node)?.node.contains(this.node) === true;
  }

  private _host(language: Language): Host {
    const { applier, preferences, shortcuts } = this._page;
    return {
      makePane: (parent, options) => new MergePane(parent, options, language),
      layout: () => preferences.layout,
      send: message => (this._link?.send(message) ?? null) !== null,
      accept: message => {
        const { notebook, _view: view } = this;
        const done = (status: ApplyStatus | 'no-kernel') => {
          if (message.type === 'undo') {
            return; // what came of it the kernel says
          }
          status === 'applied' ? view?.model.rewritten() : view?.model.takeBack(words.refused(status));
        };
        return notebook !== null && applier.ask(notebook, message, done);
      },
      source: () => this._source(),
      standing: () => this._standing,
      obstacle: fix => this._obstacle(fix),
      goTo: step => {
        if (this.notebook) {
          goTo(this.notebook, step, this.node);
        }
      },
      runAgain: cells => {
        if (this.notebook) {
          applier.runAgain(
            this.notebook,
            cells.map(({ id }) => id)
          );
        }
      },
      toCell: () => this._toCell(),
      editsInDiff: true,
      offersCopy: false,
      shortcuts
    };
  }

  private _toCell(): boolean {
    const panel = this.notebook;
    const cell =
      panel && (findCell(panel, null, this.node) ?? findCell(panel, this._saved?.cell.id ?? null, null));
    if (panel && cell) {
      giveKeyboard(panel, cell);
    }
    return cell !== null;
  }

  /** The failed cell's present text; null: this is not below it. */
  private _source(): string | null {
    const { notebook: panel, _saved: saved } = this;
    const own = panel !== null && saved !== null && this._isOwnCell(saved);
    return (own && findCell(panel, saved.cell.id, this.node)?.model.sharedModel.getSource()) || null;
  }

  /** Asks the kernel, once the typing pauses, whether the cell could go on where it failed as it is now. */
  private _askSoon(): void {
    window.clearTimeout(this._typing);
    this._typing = window.setTimeout(() => {
      const model = this._view?.model;
      const source = this._source();
      if (model && !model.decided && source !== null && this._standing === 'live') {
        const { session, repair } = model.state;
        this._link?.send({ type: 'edited', session, repair, source });
      }
    }, PAUSE);
  }

  private _obstacle(fix: FixView) {
    const panel = this.notebook;
    if (!panel) {
      return null; // not on the page yet; asked again when it is
    }
    if (fix.refused) {
      return null; // its words are the verdict's; what it rewrites need not be a cell
    }
    const cells = fix.edits.filter(({ file }) => !file); // what a file holds, the kernel looks at
    const found = cells.map(({ cell, expected, label }) => {
      const why = obstacleOf(panel, { cell: cell.id, expected }, this.node);
      return why && { why, cell: label };
    });
    const first = fix.first.map(({ cell, expected, source, name }) => {
      const why = obstacleOfRun(panel, cell.id, expected || source);
      return why && { why, cell: name };
    });
    return [...first, ...found].find(obstacle => obstacle !== null) ?? null;
  }

  /** Looks again whenever the source of a cell changes that the repair is about, or cells come and go. */
  private _watchCells(): void {
    const panel = this.notebook;
    const state = this._view?.model.state;
    this._endWatch();
    if (!panel || !state) {
      return;
    }
    const concerned = state.fixes.flatMap(fix => [...fix.first, ...fix.edits]);
    const ids = new Set([state.cell.id, ...concerned.map(one => one.cell.id)]);
    const shared = [...ids].map(id => findCell(panel, id, this.node)?.model.sharedModel);
    for (const source of shared) {
      source?.changed.connect(this._cellChanged, this);
    }
    const cells = panel.content.model?.cells;
    cells?.changed.connect(this._refresh, this);
    const unfollow = this._view?.model.onChange(() => this._watchCells()); // fixes of other cells may be found yet
    this._endWatch = () => {
      for (const source of shared) {
        source?.changed.disconnect(this._cellChanged, this);
      }
      cells?.changed.disconnect(this._refresh, this);
      unfollow?.();
      this._endWatch = () => undefined;
    };
  }

  private _cellChanged(_: unknown, change: { sourceChange?: unknown }): void {
    if (change.sourceChange) {
      window.clearTimeout(this._drawing); // the change may be that of a fix whose cell is to be sent first
      this._drawing = window.setTimeout(() => this._draw());
      this._askSoon();
    }
  }

  private _refresh(): void {
    this._draw();
  }

  private _drop(): void {
    window.clearTimeout(this._typing);
    window.clearTimeout(this._drawing);
    this._endWatch();
    this._view?.dispose();
    this._view = this._saved = this._picture = null;
  }

  /** What the notebook's file has, which anybody may have written. */
  private _saved: PanelState | null = null;
  private _picture: RepairModel | null = null;
  private _standing: Standing = 'asking';
  private _language: Language = [];
  private _view: PanelView | null = null;
  private readonly _press = new Press();
  private _notebook: NotebookPanel | null = null;
  private _typing = 0;
  private _drawing = 0;
  private _endWatch: () => void = () => undefined;
}

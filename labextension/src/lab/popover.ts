/** What opens from the status item: what is set for the notebook's kernel, and what is open in the notebook. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import type { FromKernel } from '../fromkernel';
import { button, h, prose } from '../panel/dom';
import { hasKeyboard } from '../panel/focus';
import { guardKeys } from '../panel/keys';
import type { AcceptAll } from './acceptall';
import { goToRepair } from './bringintoview';
import { ChosenModel } from './chosenmodel';
import { FixList } from './fixlist';
import type { KernelLink } from './link';
import type { KernelLinks } from './links';
import { HOW, load } from './loading';
import { nameOf, nextOf, type OpenRepair, openRepairs } from './openrepairs';
import { Outgoing } from './outgoing';
import type { Panels } from './panels';
import { Switches } from './switches';

/** Pixels to the window's edges, and to what it opens from. */
const GAP = 8;

/** What it uses of the page. */
export interface Around {
  tracker: INotebookTracker;
  links: KernelLinks;
  panels: Panels;
  acceptAll: AcceptAll;
  /** The shortcut that goes to the next fix, in words. */
  shortcut: string;
  /** Opens the history of all repairs; null: there is no place for it. */
  history: (() => void) | null;
}

export class Popover {
  readonly toggled = new Signal<this, void>(this);
  /** What it opens above; in the window's corner, where that is not to be seen. */
  anchor: HTMLElement | null = null;

  constructor(private _around: Around) {
    const { tracker, links, acceptAll } = _around;
    const close = button('✕', 'Close', 'rx-quiet rx-close', () => this.close());
    close.setAttribute('aria-label', 'Close');
    this._load = button(
      'Load it now',
      'Load Reflex in this kernel, without a trace in the notebook',
      'rx-load',
      () => this._loadIt()
    );
    this._fixes = new FixList(
      {
        goTo: open => this._goTo(open),
        next: () => this._next(),
        acceptAll: () => this._acceptAll(),
        stop: () => acceptAll.stop()
      },
      _around.shortcut
    );
    this._absent.append(h('p', 'rx-how', ...prose(HOW)), this._load);
    this._loaded.append(this._switches.node, this._model.node, this._fixes.node, this._outgoing.node);
    this._offerHistory(_around.history);
    this.node.setAttribute('aria-label', 'Reflex');
    this.node.setAttribute('role', 'region');
    this.node.popover = 'auto';
    this.node.tabIndex = -1;
    this.node.append(
      h('header', 'rx-header', h('span', 'rx-name', 'Reflex'), close),
      this._absent,
      this._loaded,
      this._footer
    );
    guardKeys(this.node, { run: () => undefined, leave: () => this.close() });
    this.node.addEventListener('toggle', () => this._toggled());
    // Not with `toggle`, which comes later: who opens it again at once would not see it closed.
    this.node.addEventListener('beforetoggle', event => {
      if ((event as ToggleEvent).newState === 'closed') {
        acceptAll.forget(); // it was read
      }
    });
    links.changed.connect(this._draw, this);
    acceptAll.changed.connect(this._draw, this);
    tracker.currentChanged.connect(() => this._moved());
    document.body.append(this.node);
  }

  private _offerHistory(open: (() => void) | null): void {
    if (open) {
      const title = 'Open the table and the charts of all repairs';
      const opens = button('History…', title, '', () => {
        this.close();
        open();
      });
      this._footer.append(opens);
    }
  }

  get isOpen(): boolean {
    return this.node.matches(':popover-open');
  }

  /** Opens it and gives it the keyboard. */
  open(): void {
    if (!this.isOpen) {
      this.node.showPopover();
    }
    this._draw();
    this._place();
    this._focus();
  }

  /** Closes it; what had the keyboard before has it again. */
  close(): void {
    if (!this.isOpen) {
      return;
    }
    this.node.hidePopover();
    if (document.activeElement === document.body) {
      this._panel?.content.activate(); // what had it is gone, as the palette is
    }
  }

  /** What the kernel answers to something that was asked here. */
  hear(message: FromKernel, link: KernelLink): void {
    this._model.hear(message, link);
    if (message.type === 'context') {
      this._outgoing.hear(message);
    }
  }

  private get _panel(): NotebookPanel | null {
    return this._around.tracker.currentWidget;
  }

  private get _link(): KernelLink | null {
    return this._around.links.of(this._panel);
  }

  private get _open(): OpenRepair[] {
    return this._panel && this._link ? openRepairs(this._panel, this._link) : [];
  }

  private _draw(): void {
    this._unfollow();
    if (!this.isOpen) {
      return;
    }
    const had = hasKeyboard(this.node);
    const link = this._link;
    const settings = link?.settings ?? null;
    this._absent.hidden = settings !== null;
    this._loaded.hidden = settings === null;
    if (link && settings) {
      const open = this._open;
      const { acceptAll } = this._around;
      this._switches.update(settings);
      this._model.update(link, settings);
      this._fixes.update(open, acceptAll, !acceptAll.working || acceptAll.working === this._panel);
      const asked = this._nearest(open);
      this._outgoing.update(asked?.model ?? null, asked ? nameOf(asked) : '');
      this._follow(link);
    }
    if (had && !hasKeyboard(this.node)) {
      this._focus(); // it was loaded, or its kernel has gone
    }
  }

  /** Gives the first thing to do the keyboard. */
  private _focus(): void {
    if (this._link?.settings) {
      this._switches.focus();
    } else {
      this._load.focus();
    }
  }

  /** Draws it anew whenever a repair of the kernel changes. */
  private _follow(link: KernelLink): void {
    const ends = link.repairs.all.map(model => model.onChange(() => this._drawSoon()));
    this._unfollow = () => {
      for (const end of ends) {
        end();
      }
      this._unfollow = () => undefined;
    };
  }

  /** Many changes may come at once. */
  private _drawSoon(): void {
    if (!this._willDraw) {
      this._willDraw = true;
      requestAnimationFrame(() => {
        this._willDraw = false;
        this._draw();
      });
    }
  }

  /** The one that the active cell is the nearest to. */
  private _nearest(open: readonly OpenRepair[]): OpenRepair | null {
    const active = this._panel?.content.activeCellIndex ?? 0;
    const away = ({ index }: OpenRepair) => Math.abs(index - active);
    return [...open].sort((one, two) => away(one) - away(two))[0] ?? null;
  }

  private _next(): void {
    const found = nextOf(this._open, this._panel?.content.activeCellIndex ?? 0);
    if (found) {
      this._goTo(found);
    }
  }

  private _goTo(open: OpenRepair): void {
    const panel = this._panel;
    if (panel) {
      this.close();
      goToRepair(panel, this._around.panels, open).catch(reason =>
        console.error('reflex: a fix could not be shown', reason)
      );
    }
  }

  private _acceptAll(): void {
    const { _panel: panel, _link: link } = this;
    if (panel && link) {
      void this._around.acceptAll.start(panel, link);
    }
  }

  private _loadIt(): void {
    const kernel = this._panel?.sessionContext.session?.kernel;
    if (kernel) {
      void load(kernel);
    }
  }

  private _moved(): void {
    this._around.acceptAll.forget();
    if (this._panel) {
      this._draw();
    } else {
      this.close();
    }
  }

  private _toggled(): void {
    this._draw();
    this.toggled.emit();
    this._resized.disconnect();
    for (const each of this.isOpen ? [document.body, this.node, this.anchor] : []) {
      if (each) {
        this._resized.observe(each);
      }
    }
  }

  /** Above what it opens from, inside the window. */
  private _place(): void {
    const at = this.anchor?.checkVisibility() ? this.anchor.getBoundingClientRect() : null;
    const right = at ? window.innerWidth - at.right : GAP;
    const bottom = at ? window.innerHeight - at.top + 2 : GAP;
    this.node.style.right = `${Math.max(GAP, Math.min(right, window.innerWidth - this.node.offsetWidth - GAP))}px`;
    this.node.style.bottom = `${bottom}px`;
    this.node.style.maxHeight = `calc(100vh - ${bottom + 2 * GAP}px)`;
  }

  readonly node = h('section', 'rx-panel rx-popover');
  /** The window becomes narrower, say, and what it opens from goes out of sight with it. */
  private readonly _resized = new ResizeObserver(() => this._place());
  private readonly _absent = h('div', 'rx-absent');
  private readonly _loaded = h('div', 'rx-loaded');
  private readonly _footer = h('footer', 'rx-footer');
  private readonly _load: HTMLButtonElement;
  private readonly _switches = new Switches(message => this._link?.send(message));
  private readonly _model = new ChosenModel(() => this._draw());
  private readonly _fixes: FixList;
  private readonly _outgoing = new Outgoing(model => {
    const { session, repair } = model.state;
    return (this._link?.send({ type: 'want-context', session, repair }) ?? null) !== null;
  });
  private _willDraw = false;
  private _unfollow: () => void = () => undefined;
}

/** The open repairs of a notebook, to go to and to accept together. */

import { button, h, setText } from '../panel/dom';
import { noticeLine } from '../panel/reasons';
import type { AcceptAll } from './acceptall';
import { provenOf } from './acceptall';
import { nameOf, type OpenRepair, standingOf } from './openrepairs';

const HOW =
  'From the top of the notebook: each is tried once more on what is there then, accepted and run. The first that fails ends it';

export interface FixListHandlers {
  goTo: (open: OpenRepair) => void;
  next: () => void;
  acceptAll: () => void;
  stop: () => void;
}

export class FixList {
  readonly node: HTMLElement;

  /** `shortcut`: that of the next fix, in words. */
  constructor(
    private _handlers: FixListHandlers,
    shortcut: string
  ) {
    this._next = button('Next', `Go to the next open fix (${shortcut})`, 'rx-next-fix', _handlers.next);
    this._all = button('', HOW, 'rx-accept-all', _handlers.acceptAll);
    this._stop = button('Stop', 'Stop after the cell that is under way', 'rx-stop-all', _handlers.stop);
    this._said.setAttribute('role', 'status');
    this.node = h(
      'div',
      'rx-fixes',
      h('div', 'rx-heading', this._title),
      this._list,
      h('div', 'rx-fix-buttons', this._all, this._stop, this._next),
      this._said
    );
  }

  /** Draws them; `here`: whether what is accepted, or was, is of this notebook. */
  update(open: readonly OpenRepair[], { working, said }: AcceptAll, here: boolean): void {
    const proven = provenOf(open).length;
    setText(
      this._title,
      open.length ? `Open in this notebook (${open.length})` : 'Nothing is open in this notebook'
    );
    this._drawList(open);
    const had = this._all === document.activeElement || this._stop === document.activeElement;
    this._all.hidden = proven === 0 || working !== null;
    this._stop.hidden = !working || !here;
    this._next.hidden = !open.some(({ model }) => model.open);
    setText(
      this._all,
      proven === 1 ? 'Accept the one that is proven' : `Accept all ${proven} that are proven, in order`
    );
    if (had) {
      [this._all, this._stop, this._next].find(each => !each.hidden)?.focus();
    }
    const drawn = JSON.stringify(here && said);
    if (drawn !== this._drawnSaid) {
      this._drawnSaid = drawn;
      this._said.replaceChildren(...(here && said ? [noticeLine(said)] : []));
    }
  }

  private _drawList(open: readonly OpenRepair[]): void {
    const lines = open.map(one => ({
      name: nameOf(one),
      error: one.model.state.error,
      is: standingOf(one.model)
    }));
    const drawn = JSON.stringify(lines);
    this._open = open;
    this._list.hidden = open.length === 0;
    if (drawn === this._drawn) {
      return;
    }
    this._drawn = drawn;
    const focused = [...this._list.children].findIndex(line => line.contains(document.activeElement));
    this._list.replaceChildren(
      ...lines.map(({ name, error, is }, place) => {
        const go = button('', `Go to ${name}: ${error}`, 'rx-quiet rx-open-fix', () => this._go(place));
        go.append(h('span', 'rx-fix-cell', name), h('span', 'rx-fix-error', error));
        return h('li', 'rx-fix', go, noticeLine(is));
      })
    );
    if (focused >= 0) {
      const last = Math.min(focused, lines.length - 1);
      this._list.children[last]?.querySelector('button')?.focus();
    }
  }

  private _go(place: number): void {
    const open = this._open[place];
    if (open) {
      this._handlers.goTo(open);
    }
  }

  private readonly _title = h('span', 'rx-heading-text');
  private readonly _list = h('ol', 'rx-fix-list');
  private readonly _said = h('div', 'rx-all-said');
  private readonly _next: HTMLButtonElement;
  private readonly _all: HTMLButtonElement;
  private readonly _stop: HTMLButtonElement;
  private _open: readonly OpenRepair[] = [];
  private _drawn = '';
  private _drawnSaid = '';
}

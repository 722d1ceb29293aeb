/** Has the first change of a diff be seen, says which ones lie outside its visible part, and leads there. */

import type { DiffPane, Extent } from './diffpane';
import { button, h } from './dom';
import { room } from './sight';

/** So much of a line may be out of sight without being missed, in pixels. */
const SLACK = 6;
/** So much of what is above a change stays in sight, in pixels. */
const ABOVE = 24;
/** After one of these the diff stays where the user has it. */
const BY_HAND = ['keydown', 'pointerdown', 'wheel'];

function lines({ from, to }: { from: number; to: number }): string {
  const [first, last] = [from.toLocaleString('en'), to.toLocaleString('en')];
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

function goesOn(side: 'above' | 'below', { from, to }: Extent): string {
  if (from === to) {
    return side === 'below' ? 'this line goes on below' : 'this change begins above';
  }
  return side === 'below'
    ? `this change goes on to line ${to.toLocaleString('en')}`
    : `this change begins above, in line ${from.toLocaleString('en')}`;
}

/** What is out of sight on one side, in words. `cut`: a change that is only partly in sight. */
function said(side: 'above' | 'below', whole: Extent[], cut: Extent | undefined): string {
  const words = cut ? [goesOn(side, cut)] : [];
  const [first, last] = [whole[0], whole[whole.length - 1]];
  if (first && last) {
    const count = whole.length === 1 ? '1 more change' : `${whole.length} more changes`;
    words.push(`${count} ${side}, ${lines({ from: first.from, to: last.to })}`);
  }
  return words.join(' · ');
}

function isSeen({ top: from, bottom: to, mark }: Extent, top: number, bottom: number): boolean {
  return mark === null
    ? Math.min(bottom, to) - Math.max(top, from) >= SLACK
    : mark >= top - SLACK && mark <= bottom - 2 * SLACK;
}

export class Beyond {
  readonly node = h('div', 'rx-beyond');

  constructor(private _pane: DiffPane) {
    this.node.append(this._above, this._below);
    this._resized.observe(_pane.node);
    this._watchContent();
    _pane.node.addEventListener('scroll', () => this.update());
    for (const event of BY_HAND) {
      _pane.node.addEventListener(event, () => {
        this._byHand = true;
      });
    }
  }

  /** Whether a change can be seen, or of a long line what is new in it. */
  get inSight(): boolean {
    const { node } = this._pane;
    const [top, bottom] = room(node.firstElementChild ?? node);
    const changes = this._pane.changes();
    return changes.length === 0 || changes.some(change => isSeen(change, top, bottom));
  }

  /** Scrolls to the first change, wherever the user has been. */
  lead(): void {
    this._byHand = false;
    this._pane.node.scrollIntoView({ block: 'nearest' });
    this.update();
  }

  update(): void {
    cancelAnimationFrame(this._frame);
    this._frame = requestAnimationFrame(() => this._draw());
  }

  dispose(): void {
    cancelAnimationFrame(this._frame);
    this._resized.disconnect();
    this.node.remove();
  }

  private _watchContent(): void {
    for (const child of this._pane.node.children) {
      this._resized.observe(child);
    }
  }

  private _draw(): void {
    this._watchContent(); // another layout has other children
    const { top, bottom } = this._pane.node.getBoundingClientRect();
    const changes = bottom > top ? this._pane.changes() : [];
    this._begin(changes[0], top, bottom);
    const over = changes.filter(change => change.top < top - SLACK);
    const under = changes.filter(change => change.bottom > bottom + SLACK);
    const outside = (change: Extent) => !isSeen(change, top, bottom);
    this._show(this._above, '↑', 'above', over, outside);
    this._show(this._below, '↓', 'below', under, outside);
    this.node.hidden = this._above.hidden && this._below.hidden;
  }

  /** All of the first change is in sight, if there is room for it; else where it begins, and of a line what is new. */
  private _begin(first: Extent | undefined, top: number, bottom: number): void {
    if (this._byHand || !first || (first.top >= top - SLACK && first.bottom <= bottom + SLACK)) {
      return;
    }
    const isLonger = first.bottom - first.top > bottom - top - ABOVE;
    const begins = isLonger && first.mark !== null ? first.mark - (bottom - top) / 2 : first.top - ABOVE;
    if (Math.abs(begins - top) > SLACK) {
      this._pane.node.scrollTop += begins - top;
    }
  }

  private _show(
    control: HTMLElement,
    arrow: string,
    side: 'above' | 'below',
    changes: Extent[],
    outside: (change: Extent) => boolean
  ): void {
    const words = said(
      side,
      changes.filter(outside),
      changes.find(change => !outside(change))
    );
    control.hidden = words === '';
    control.textContent = `${arrow} ${words}`;
  }

  /** Scrolls to the next change on that side; where there is none, on in the one that is partly in sight. */
  private _go(side: 'above' | 'below'): void {
    this._byHand = true;
    const { node } = this._pane;
    const { top, bottom, height } = node.getBoundingClientRect();
    const changes = this._pane.changes();
    const next =
      side === 'below'
        ? changes.find(change => change.top >= bottom - SLACK)
        : changes.filter(change => change.bottom <= top + SLACK).pop();
    const page = (side === 'below' ? 1 : -1) * (height - 2 * ABOVE);
    node.scrollTop += next ? next.top - top - ABOVE : page;
    this.update();
  }

  private readonly _above = button('', 'Show the change above', 'rx-quiet', () => this._go('above'));
  private readonly _below = button('', 'Show the change below', 'rx-quiet', () => this._go('below'));
  private readonly _resized = new ResizeObserver(() => this.update());
  private _frame = 0;
  private _byHand = false;
}

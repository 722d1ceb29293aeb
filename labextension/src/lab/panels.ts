/** The panels on this page: which one a shortcut means. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import { cellAround } from './cells';
import type { RepairRenderer } from './renderer';

export class Panels {
  readonly changed = new Signal<this, void>(this);

  constructor(private _tracker: INotebookTracker) {}

  add(renderer: RepairRenderer): void {
    this._renderers.add(renderer);
    renderer.disposed.connect(() => {
      this._renderers.delete(renderer);
      this.changed.emit();
    });
  }

  /** The open panel that is the nearest to the active cell: its own, if it has one; of two as near the upper one. */
  get nearest(): RepairRenderer | null {
    const panel = this._tracker.currentWidget;
    if (!panel) {
      return null;
    }
    const away = (renderer: RepairRenderer) =>
      Math.abs(indexOf(panel, renderer) - panel.content.activeCellIndex);
    const inOrder = this._openIn(panel).sort((one, two) => indexOf(panel, one) - indexOf(panel, two));
    return inOrder.sort((one, two) => away(one) - away(two))[0] ?? null;
  }

  /** The panel of a repair in a notebook; null: it is not drawn. */
  of(panel: NotebookPanel, repair: string): RepairRenderer | null {
    const drawn = [...this._renderers].filter(renderer => renderer.notebook === panel && renderer.view);
    const found = drawn.filter(renderer => renderer.view?.model.state.repair === repair);
    return found.find(renderer => renderer.isOwn) ?? found[0] ?? null; // a copied cell has one as well
  }

  /** Whether it is the active cell's. */
  isActive(renderer: RepairRenderer): boolean {
    const panel = this._tracker.currentWidget;
    return panel !== null && indexOf(panel, renderer) === panel.content.activeCellIndex;
  }

  forEach(each: (renderer: RepairRenderer) => void): void {
    this._renderers.forEach(each);
  }

  private _openIn(panel: NotebookPanel): RepairRenderer[] {
    return [...this._renderers].filter(renderer => renderer.open && renderer.notebook === panel);
  }

  // In the order in which they were made.
  private readonly _renderers = new Set<RepairRenderer>();
}

/** Where its cell is in the notebook; after all of them, if it is in none. */
function indexOf(panel: NotebookPanel, renderer: RepairRenderer): number {
  const cell = cellAround(panel.content, renderer.node);
  return cell ? panel.content.widgets.indexOf(cell) : panel.content.widgets.length;
}

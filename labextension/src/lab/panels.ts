/** The panels on this page: which one a shortcut means. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
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

  /** The open panel of the active cell, else the latest open one of the current notebook. */
  get target(): RepairRenderer | null {
    const panel = this._tracker.currentWidget;
    const open = panel ? this._openIn(panel) : [];
    const active = this._tracker.activeCell?.node;
    return open.find(renderer => active?.contains(renderer.node)) ?? open[open.length - 1] ?? null;
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

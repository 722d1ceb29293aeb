/** The lines to all kernels that this page's notebooks use. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import type { FromKernel } from '../fromkernel';
import { KernelLink } from './link';

export class KernelLinks {
  /** A line was made, has gone, or knows something new of its kernel. */
  readonly changed = new Signal<this, void>(this);

  constructor(
    private _tracker: INotebookTracker,
    private _receive: (message: FromKernel, link: KernelLink) => void
  ) {
    _tracker.widgetAdded.connect((_, panel) => this._follow(panel));
    _tracker.forEach(panel => {
      this._follow(panel);
    });
  }

  /** The line to the kernel of a notebook. */
  of(panel: NotebookPanel | null): KernelLink | null {
    const kernel = panel?.sessionContext.session?.kernel;
    return (kernel && this._links.get(kernel.id)) ?? null;
  }

  // The notebook's signals end with the notebook, and so does its connection to the kernel.
  private _follow(panel: NotebookPanel): void {
    panel.sessionContext.kernelChanged.connect((_, change) => this._connect(change.newValue));
    this._connect(panel.sessionContext.session?.kernel);
  }

  private _connect(kernel: Kernel.IKernelConnection | null | undefined): void {
    if (!kernel || kernel.isDisposed) {
      return;
    }
    const known = this._links.get(kernel.id);
    if (known) {
      known.join(kernel);
      return;
    }
    const link = new KernelLink(kernel, this._receive);
    this._links.set(kernel.id, link);
    link.changed.connect(() => this.changed.emit());
    link.disposed.connect(() => {
      this._links.delete(kernel.id);
      this._connect(this._otherConnection(kernel.id));
      this.changed.emit();
    });
    this.changed.emit();
  }

  /** That of another notebook to the same kernel: the one that a line went over is gone with its notebook. */
  private _otherConnection(id: string): Kernel.IKernelConnection | null {
    const other = this._tracker.find(panel => {
      const kernel = panel.sessionContext.session?.kernel;
      return kernel?.id === id && !kernel.isDisposed;
    });
    return other?.sessionContext.session?.kernel ?? null;
  }

  private readonly _links = new Map<string, KernelLink>();
}

/** A cell: its source, which Ctrl-Enter runs, and what came of it. */

import type { Kernel } from '@jupyterlab/services';
import { Outputs } from './outputs';
import type { Widgets } from './widgets';

export class Cell {
  readonly node = document.createElement('section');

  constructor(
    private _kernel: Kernel.IKernelConnection,
    widgets: Widgets,
    source: string,
    private _id: string
  ) {
    this._source.value = source;
    this._source.rows = source.split('\n').length;
    this._source.setAttribute('aria-label', 'Source');
    this._source.addEventListener('keydown', event => {
      if (event.key === 'Enter' && event.ctrlKey) {
        void this._run();
      }
    });
    this._outputs = new Outputs(widgets);
    this.node.className = 'cell';
    this.node.append(this._source, this._outputs.node);
  }

  /** Runs it. What comes later with the same parent still lands here. */
  private async _run(): Promise<void> {
    this.node.dataset.runs = 'yes';
    this._future?.dispose();
    this._outputs.clear();
    const request = { code: this._source.value, stop_on_error: false };
    const future = this._kernel.requestExecute(request, false, { cellId: this._id });
    future.onIOPub = message => this._outputs.take(message);
    this._future = future;
    await future.done;
    this.node.dataset.runs = 'no';
  }

  private readonly _source = document.createElement('textarea');
  private readonly _outputs: Outputs;
  private _future: { dispose(): void } | null = null;
}

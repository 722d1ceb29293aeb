/**
 * A page that shows cells and widgets and is not JupyterLab, for the tests: the panel as VS Code, Colab and Voilà have it.
 * It is served by a Jupyter server, and talks to a kernel there.
 */

import '@jupyter-widgets/controls/css/labvariables.css'; // other widgets bring Lab's light colours along
import { type Kernel, KernelManager, ServerConnection } from '@jupyterlab/services';
import { Cell } from './cell';
import { Widgets } from './widgets';

class Page {
  /** Starts a kernel, and shows cells with these sources. */
  async open(sources: readonly string[]): Promise<void> {
    const serverSettings = ServerConnection.makeSettings({
      baseUrl: window.location.origin,
      wsUrl: window.location.origin.replace('http', 'ws')
    });
    const kernel = await new KernelManager({ serverSettings }).startNew({ name: 'python3' });
    const widgets = new Widgets(kernel);
    this._kernel = kernel;
    this.cells = sources.map((source, index) => new Cell(kernel, widgets, source, `cell-${index}`));
    document.querySelector('main')?.replaceChildren(...this.cells.map(cell => cell.node));
  }

  /** The `repr` of an expression in the kernel, once that is free. */
  async value(expression: string): Promise<string> {
    const asked = { code: '', silent: true, store_history: false, user_expressions: { value: expression } };
    const reply = await this._kernel?.requestExecute(asked).done;
    if (reply?.content.status !== 'ok') {
      throw new Error('the kernel did not answer');
    }
    const { value } = reply.content.user_expressions as Record<string, { data: Record<string, string> }>;
    return value?.data['text/plain'] ?? '';
  }

  /** Ends the kernel. */
  async close(): Promise<void> {
    await this._kernel?.shutdown();
  }

  cells: Cell[] = [];
  private _kernel: Kernel.IKernelConnection | null = null;
}

Object.assign(window, { notebook: new Page() });

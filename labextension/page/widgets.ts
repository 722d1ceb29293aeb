/** Widgets of a kernel, as `@jupyter-widgets/html-manager` shows them. */

import * as base from '@jupyter-widgets/base';
import { HTMLManager } from '@jupyter-widgets/html-manager/lib/htmlmanager';
import type { Kernel } from '@jupyterlab/services';

/** What a widget's package says of itself where modules are loaded by their names. */
type Define = (needs: readonly string[], make: (...modules: unknown[]) => unknown) => void;

/** Loads a module that calls `define`, as `anywidget/index.js` does. */
function load(name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const define: Define = (_, make) => resolve(make(base));
    Object.assign(window, { define });
    const script = document.createElement('script');
    script.src = `${name}/index.js`;
    script.addEventListener('error', () => reject(new Error(`${script.src} could not be loaded`)));
    document.head.append(script);
  });
}

export class Widgets extends HTMLManager {
  constructor(private _kernel: Kernel.IKernelConnection) {
    super({ loader: name => this._module(name) });
    _kernel.registerCommTarget(this.comm_target_name, (comm, message) =>
      // biome-ignore lint/suspicious/noExplicitAny: the two packages name the same message by different types
      this.handle_comm_open(new base.shims.services.Comm(comm), message as any).then(() => undefined)
    );
  }

  /** Shows a view of a widget; returns what removes it. */
  async show(id: string, parent: HTMLElement): Promise<() => void> {
    const view = await this.create_view(await this.get_model(id));
    await this.display_view(view, parent);
    return () => view.remove();
  }

  override async _create_comm(
    target: string,
    id: string,
    data?: unknown,
    metadata?: unknown
  ): Promise<base.IClassicComm> {
    const comm = this._kernel.createComm(target, id);
    // biome-ignore lint/suspicious/noExplicitAny: plain JSON, which the two packages name by different types
    comm.open(data as any, metadata as any);
    return new base.shims.services.Comm(comm);
  }

  /** A module is one for its models and for its views. */
  private _module(name: string): Promise<unknown> {
    const module = this._modules.get(name) ?? load(name);
    this._modules.set(name, module);
    return module;
  }

  private readonly _modules = new Map<string, Promise<unknown>>();
}

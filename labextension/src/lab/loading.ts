/** Switching a kernel's extension on and off, and loading it where it is not. */

import { Notification } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import type { KernelLinks } from './links';

const LOAD = '%load_ext reflex_ipython';
/** How it is loaded, in words. */
export const HOW = `Reflex is not loaded in this notebook's kernel. Run \`${LOAD}\` in a cell to load it.`;

/** Turns the current notebook's extension on or off; where it is not loaded, says how that is done. */
export function toggle(tracker: INotebookTracker, links: KernelLinks): void {
  const link = links.of(tracker.currentWidget);
  if (link && link.enabled !== null) {
    link.send({ type: 'enable', enabled: !link.enabled });
    return;
  }
  const kernel = tracker.currentWidget?.sessionContext.session?.kernel;
  const actions = kernel ? [{ label: 'Load it now', callback: () => void load(kernel) }] : [];
  Notification.info(HOW.replace(/`/g, ''), {
    autoClose: 10_000,
    actions
  });
}

/** Loads the extension without leaving a trace in the notebook. */
export async function load(kernel: Kernel.IKernelConnection): Promise<void> {
  const reply = await kernel.requestExecute({ code: LOAD, store_history: false, stop_on_error: false }).done;
  if (reply.content.status !== 'ok') {
    Notification.error('Reflex could not be loaded: is reflex_ipython installed where this kernel runs?');
  }
}

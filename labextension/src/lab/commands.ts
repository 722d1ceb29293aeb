/** The commands, in the palette and for the shortcuts of `schema/plugin.json`. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { KernelLinks } from './links';
import { toggle } from './loading';
import type { Panels } from './panels';
import type { Preferences } from './preferences';
import type { RepairRenderer } from './renderer';

export const TOGGLE = 'reflex:toggle';

export interface Commanded {
  tracker: INotebookTracker;
  links: KernelLinks;
  panels: Panels;
  preferences: Preferences;
}

export function addCommands(app: JupyterFrontEnd, palette: ICommandPalette | null, parts: Commanded): void {
  const { tracker, links, panels, preferences } = parts;
  const describedBy = { args: { type: 'object', properties: {} } } as const;
  const add = (id: string, label: string, caption: string, execute: () => void, isEnabled: () => boolean) => {
    app.commands.addCommand(id, { label, caption, execute, isEnabled, describedBy });
    palette?.addItem({ command: id, category: 'Reflex' });
  };
  const hasTarget = () => panels.target !== null;
  add(
    'reflex:accept',
    'Accept the Fix',
    'Accept the fix of the active cell, or the latest one',
    () => accept(tracker, panels.target, preferences.runOnAccept),
    hasTarget
  );
  add(
    'reflex:reject',
    'Reject the Fix',
    'Reject the fix of the active cell, or the latest one',
    () => panels.target?.view?.reject(),
    hasTarget
  );
  add(
    'reflex:show',
    'Show the Fix',
    'Scroll to the latest open fix',
    () => show(tracker, panels.target),
    hasTarget
  );
  add(
    TOGGLE,
    'Turn On or Off',
    "Look for fixes in this notebook's kernel, or stop that",
    () => toggle(tracker, links),
    () => tracker.currentWidget !== null
  );
}

/** Accepts a panel's fix; where that needs an answer, brings it into view first. */
function accept(tracker: INotebookTracker, renderer: RepairRenderer | null, run: boolean): void {
  if (renderer?.view?.asks(run)) {
    show(tracker, renderer);
  }
  renderer?.view?.accept(run);
}

/** Brings a panel into view and gives it the keyboard. */
function show(tracker: INotebookTracker, renderer: RepairRenderer | null): void {
  const notebook = tracker.currentWidget?.content;
  const index = notebook?.widgets.findIndex(cell => renderer && cell.node.contains(renderer.node)) ?? -1;
  if (notebook && index >= 0) {
    notebook.activeCellIndex = index;
  }
  renderer?.node.scrollIntoView({ block: 'nearest' });
  renderer?.view?.focus();
}

/** The commands, in the palette and for the shortcuts of `schema/plugin.json`. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { KernelLinks } from './links';
import { toggle } from './loading';
import { MeantFix } from './meant';
import type { Panels } from './panels';
import type { Preferences } from './preferences';

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
  const meant = new MeantFix(tracker, panels);
  const isThere = () => meant.exists;
  add(
    'reflex:accept',
    'Accept the Fix',
    'Accept the fix of the selected cell; if it has none, show the nearest one',
    () => meant.act(view => view.accept(preferences.runOnAccept)),
    isThere
  );
  add(
    'reflex:reject',
    'Reject the Fix',
    'Reject the fix of the selected cell; if it has none, show the nearest one',
    () => meant.act(view => view.reject()),
    isThere
  );
  add(
    'reflex:show',
    'Show the Fix',
    'Scroll to the fix of the selected cell, or to the nearest one',
    () => meant.show(),
    isThere
  );
  add(
    TOGGLE,
    'Turn On or Off',
    "Look for fixes in this notebook's kernel, or stop that",
    () => toggle(tracker, links),
    () => tracker.currentWidget !== null
  );
}

/** The commands, in the palette and for the shortcuts of `schema/plugin.json`. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { goToRepair } from './bringintoview';
import type { KernelLinks } from './links';
import { toggle } from './loading';
import { MeantFix } from './meant';
import { nextOf, openRepairs } from './openrepairs';
import type { Panels } from './panels';
import type { Popover } from './popover';
import type { Preferences } from './preferences';
import type { TakenBack } from './takenback';

export interface Commanded {
  tracker: INotebookTracker;
  links: KernelLinks;
  panels: Panels;
  popover: Popover;
  preferences: Preferences;
  takenBack: TakenBack;
}

export function addCommands(app: JupyterFrontEnd, palette: ICommandPalette | null, parts: Commanded): void {
  const { tracker, links, panels, popover, preferences, takenBack } = parts;
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
    () => meant.act('accept', view => view.accept(preferences.runOnAccept)),
    isThere
  );
  add(
    'reflex:reject',
    'Reject the Fix',
    'Reject the fix of the selected cell; if it has none, show the nearest one',
    () => meant.act('reject', view => view.reject()),
    isThere
  );
  add(
    'reflex:show',
    'Show the Fix',
    'Scroll to the fix of the selected cell, or to the nearest one',
    () => meant.show(),
    isThere
  );
  const next = () => {
    const panel = tracker.currentWidget;
    const link = links.of(panel);
    const found = panel && link && nextOf(openRepairs(panel, link), panel.content.activeCellIndex);
    return found && { panel, found };
  };
  add(
    'reflex:next',
    'Show the Next Fix',
    'Go to the next cell that has an open fix; after the last comes the first',
    () => {
      const there = next();
      there && void goToRepair(there.panel, panels, there.found);
    },
    () => next() !== null
  );
  add(
    'reflex:open',
    'Open',
    "Open what there is to set for this notebook's kernel, and the list of its open fixes",
    () => void requestAnimationFrame(() => popover.open()), // once the palette has given the keyboard back
    () => tracker.currentWidget !== null
  );
  add(
    'reflex:back',
    'Undo the Run of the Last Cell',
    'Put the state of the kernel back to what it was before the last cell ran',
    () => takenBack.ask(),
    () => links.of(tracker.currentWidget)?.settings != null
  );
  add(
    'reflex:toggle',
    'Turn On or Off',
    "Look for fixes in this notebook's kernel, or stop that",
    () => toggle(tracker, links),
    () => tracker.currentWidget !== null
  );
}

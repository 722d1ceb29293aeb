/** The JupyterLab and Notebook plugin: puts the parts together. */

import {
  ILabShell,
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette, ISessionContextDialogs } from '@jupyterlab/apputils';
import { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import type { FromKernel } from './fromkernel';
import { AcceptAll } from './lab/acceptall';
import { Applier } from './lab/applier';
import { tellCells } from './lab/cellsof';
import { addCommands } from './lab/commands';
import { addHistory } from './lab/history/command';
import type { KernelLink } from './lab/link';
import { KernelLinks } from './lab/links';
import { Panels } from './lab/panels';
import { Popover } from './lab/popover';
import { Preferences } from './lab/preferences';
import { type Page, RepairRenderer } from './lab/renderer';
import { StatusItem } from './lab/statusitem';
import { TakenBack } from './lab/takenback';
import { MIME } from './state';

const PLUGIN = 'reflex-ipython:plugin';

/** Before the widget's renderer (-10): where this extension is, its panel is the better one. */
const RANK = -20;

const MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const SHORTCUTS = MAC ? { accept: '⌥⇧A', reject: '⌥⇧R' } : { accept: 'Alt+Shift+A', reject: 'Alt+Shift+R' };
const NEXT = MAC ? '⌥⇧N' : 'Alt+Shift+N';

function activate(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  rendermime: IRenderMimeRegistry,
  languages: IEditorLanguageRegistry,
  palette: ICommandPalette | null,
  statusBar: IStatusBar | null,
  settings: ISettingRegistry | null,
  dialogs: ISessionContextDialogs | null,
  shell: ILabShell | null,
  restorer: ILayoutRestorer | null
): void {
  const preferences = new Preferences(settings, PLUGIN);
  const links = new KernelLinks(tracker, (message, link) => receive(message, link));
  const applier = new Applier(tracker, links, dialogs);
  const takenBack = new TakenBack(tracker, links, applier);
  const panels = new Panels(tracker);
  const history = shell && addHistory(app, shell, { tracker, rendermime, palette, restorer });
  const popover = new Popover({
    tracker,
    links,
    panels,
    acceptAll: new AcceptAll(panels),
    shortcut: NEXT,
    history
  });

  const receive = (message: FromKernel, link: KernelLink): void => {
    if (message.type === 'apply') {
      applier.fromKernel(message, link);
    } else if (message.type === 'declined') {
      applier.declined(message.request);
    } else if (message.type === 'want-cells') {
      tellCells(message, link, tracker, links);
    } else if (message.type === 'took-back') {
      takenBack.hear(message, link);
    } else {
      popover.hear(message, link);
    }
  };

  const page: Page = { tracker, links, applier, preferences, languages, shortcuts: SHORTCUTS };
  const createRenderer = () => {
    const renderer = new RepairRenderer(page);
    panels.add(renderer);
    return renderer;
  };
  rendermime.addFactory({ safe: true, mimeTypes: [MIME], createRenderer }, RANK);
  addCommands(app, palette, { tracker, links, panels, popover, preferences, takenBack });
  statusBar?.registerStatusItem(`${PLUGIN}:status`, {
    item: new StatusItem(tracker, links, popover, preferences),
    align: 'right',
    rank: 10
  });
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: PLUGIN,
  description: 'Shows the fixes of reflex_ipython under a failed cell, and applies them.',
  autoStart: true,
  requires: [INotebookTracker, IRenderMimeRegistry, IEditorLanguageRegistry],
  optional: [
    ICommandPalette,
    IStatusBar,
    ISettingRegistry,
    ISessionContextDialogs,
    ILabShell,
    ILayoutRestorer
  ],
  activate
};

export default plugin;

/** The command that opens the history. Notebook 7 has no tabs: there is none. */

import type { ILabShell, ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import { type ICommandPalette, MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { HistoryTab } from './tab';

const ID = 'reflex:history';

export interface Around {
  tracker: INotebookTracker;
  rendermime: IRenderMimeRegistry;
  palette: ICommandPalette | null;
  restorer: ILayoutRestorer | null;
}

/** Adds it; gives what opens the history. */
export function addHistory(app: JupyterFrontEnd, shell: ILabShell, around: Around): () => void {
  const { tracker, rendermime, palette, restorer } = around;
  const opened = new WidgetTracker<MainAreaWidget<HistoryTab>>({ namespace: 'reflex-history' });
  const show = (id: string) => shell.activateById(id);
  const execute = () => {
    let tab = opened.currentWidget;
    if (!tab) {
      tab = new MainAreaWidget({ content: new HistoryTab(tracker, rendermime, panel => show(panel.id)) });
      tab.id = 'reflex-history';
      tab.title.label = 'Reflex: History';
      tab.title.caption = 'What became of all repairs';
      tab.title.closable = true;
      shell.add(tab, 'main');
      void opened.add(tab);
    } else {
      void tab.content.refresh();
    }
    show(tab.id);
  };
  const describedBy = { args: { type: 'object', properties: {} } } as const;
  const caption = 'Open the table and the charts of all repairs';
  app.commands.addCommand(ID, { label: 'History', caption, execute, describedBy });
  palette?.addItem({ command: ID, category: 'Reflex' });
  if (restorer) {
    void restorer.restore(opened, { command: ID, name: () => 'history' });
  }
  return execute;
}

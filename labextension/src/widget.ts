/**
 * The panel as a widget (anywidget): works wherever widgets do. One module without dependencies.
 * In JupyterLab with the labextension the MIME renderer is shown in its place.
 */

import css from '../style/panel.css';
import type { FromKernel } from './messages';
import type { Host } from './panel/host';
import { RepairModel } from './panel/repair';
import { Tabs } from './panel/tabs';
import { PanelView } from './panel/view';
import type { PanelState } from './state';
import { HunkPane } from './widget/hunkpane';
import { Keyboard } from './widget/keyboard';

/** What this needs of anywidget's model. */
interface WidgetModel {
  get(name: 'state'): PanelState;
  send(message: object): void;
  on(event: string, callback: (message: FromKernel) => void): void;
  off(event: string, callback: (message: FromKernel) => void): void;
}

const models = new Map<string, RepairModel>();
const keyboards = new Map<string, Keyboard>();

/** The page's model of the repair; it outlives a view, so that what the user did to the panel is kept. */
function repairOf(state: PanelState): RepairModel {
  const found = models.get(state.repair) ?? new RepairModel(state);
  models.set(state.repair, found);
  return found;
}

function hostOf(model: WidgetModel): Host {
  return {
    makePane: (parent, options) => new HunkPane(parent, options),
    layout: () => 'unified',
    send: message => {
      model.send(message);
      return true;
    },
    bond: () => 'same', // a dead widget shows no view, and a live one has its kernel
    obstacle: () => null, // seen when the page or the kernel is asked
    editsInDiff: false,
    offersCopy: true,
    shortcuts: { accept: 'Ctrl+Enter', reject: '' }
  };
}

/** Once for each model: keeps the repair up to date; returns what ends that. */
function initialize({ model }: { model: WidgetModel }): () => void {
  const repair = repairOf(model.get('state'));
  const tabs = new Tabs(id => models.get(id));
  tabs.join(repair);
  const changed = () => repair.setState(model.get('state'));
  const heard = (message: FromKernel) => {
    if (message.type === 'text') {
      repair.addText(message.text, message.start);
    }
  };
  model.on('change:state', changed);
  model.on('msg:custom', heard);
  return () => {
    model.off('change:state', changed);
    model.off('msg:custom', heard);
    tabs.dispose();
    models.delete(repair.state.repair);
    keyboards.delete(repair.state.repair);
  };
}

/** Once for each view. */
function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  const style = document.createElement('style');
  style.textContent = css;
  const repair = repairOf(model.get('state'));
  const view = new PanelView(repair, hostOf(model));
  el.append(style, view.node);
  const keyboard = keyboards.get(repair.state.repair) ?? new Keyboard();
  keyboards.set(repair.state.repair, keyboard);
  keyboard.follow(view.node);
  return () => view.dispose();
}

export default { initialize, render };

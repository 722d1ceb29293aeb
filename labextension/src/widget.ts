/**
 * The panel as a widget (anywidget): works wherever widgets do. One module without dependencies.
 * In JupyterLab with the labextension the MIME renderer is shown in its place.
 */

import choice from '../style/alternatives.css';
import modelForm from '../style/modelform.css';
import steps from '../style/nextsteps.css';
import css from '../style/panel.css';
import syntax from '../style/syntax.css';
import { Wrong } from './checks';
import { damaged } from './panel/damaged';
import type { Host, Standing } from './panel/host';
import { newId } from './panel/newid';
import { Press } from './panel/press';
import { RepairModel } from './panel/repair';
import { Tabs } from './panel/tabs';
import { PanelView } from './panel/view';
import { messageOf, panelOf } from './valid';
import { HunkPane } from './widget/hunkpane';
import { Keyboard, toCell } from './widget/keyboard';

/** Milliseconds: so long a panel waits unseen for the kernel to vouch for it, and is only then shown as a picture. */
const PATIENCE = 500;
/** Milliseconds until the kernel is asked once more whether it knows the repair; each further time, twice as long. */
const ASK_AGAIN = 2000;

/** What this needs of anywidget's model. */
interface WidgetModel {
  get(name: 'state'): unknown;
  send(message: object): void;
  on(event: string, callback: (message: unknown) => void): void;
  off(event: string, callback: (message: unknown) => void): void;
}

/** One widget: it outlives its views, so that what the user did to the panel is kept. */
class PanelWidget {
  /** Keeps the repair up to date; returns what ends that. */
  initialize({ model }: { model: WidgetModel }): () => void {
    const tabs = new Tabs(id => (id === this._repair?.state.repair ? this._repair : undefined));
    const changed = () => this._take(model, tabs);
    const heard = (message: unknown) => this._hear(message);
    this._take(model, tabs);
    model.on('change:state', changed);
    model.on('msg:custom', heard);
    if (this._repair) {
      const { state } = this._repair;
      this._recall(model, { type: 'recall', repair: state.repair, shown: state }, ASK_AGAIN);
    }
    return () => {
      window.clearTimeout(this._asking);
      model.off('change:state', changed);
      model.off('msg:custom', heard);
      tabs.dispose();
    };
  }

  /** Once for each view. */
  render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
    const style = document.createElement('style');
    style.textContent = syntax + css + choice + steps + modelForm;
    if (!this._repair) {
      el.append(style, damaged(this._wrong, ''));
      return () => undefined;
    }
    const view = new PanelView(this._repair, this._hostOf(model, el));
    view.node.classList.add('rx-unseen');
    void this._answered.then(() => view.node.classList.remove('rx-unseen'));
    el.append(style, view.node);
    this._keyboard.follow(view.node, control => view.lost(control));
    this._press.follow(view.node);
    return () => view.dispose();
  }

  private _hostOf(model: WidgetModel, el: HTMLElement): Host {
    const send = (message: object) => {
      model.send(message);
      return true;
    };
    return {
      makePane: (parent, options) => new HunkPane(parent, options),
      layout: () => 'unified',
      send,
      accept: send,
      source: () => null, // a widget does not see the cell
      standing: () => this._standing,
      obstacle: () => null, // seen when the kernel is asked
      goTo: null,
      runAgain: null,
      toCell: () => toCell(el),
      editsInDiff: false,
      offersCopy: true,
      shortcuts: { accept: 'Ctrl+Enter', reject: '' }
    };
  }

  private _take(model: WidgetModel, tabs: Tabs): void {
    try {
      const state = panelOf(model.get('state'));
      if (this._repair) {
        this._repair.setState(state);
      } else {
        this._repair = new RepairModel(state);
        tabs.join(this._repair);
      }
    } catch (reason) {
      if (!(reason instanceof Wrong)) {
        throw reason;
      }
      this._wrong = reason.message;
    }
  }

  /** Asks until there is an answer: in a subshell, a question may come before the kernel has all of the widget. */
  private _recall(model: WidgetModel, question: object, wait: number): void {
    if (this._standing !== 'asking') {
      return;
    }
    try {
      model.send({ ...question, request: newId() });
    } catch {
      return; // the kernel has ended
    }
    this._asking = window.setTimeout(() => this._recall(model, question, 2 * wait), wait);
  }

  /** What the kernel says. What a file has saved of a widget never speaks: until the kernel does, it is a picture. */
  private _hear(data: unknown): void {
    const message = messageOf(data);
    const repair = this._repair;
    if (!message || !repair) {
      return;
    }
    if (message.type === 'state' && message.state.repair === repair.state.repair) {
      this._standing = 'live';
      repair.setState(message.state);
      this._show();
    } else if (message.type === 'unknown') {
      this._standing = 'unknown';
      repair.changed();
      this._show();
    } else if (message.type === 'text') {
      repair.addText(message.text, message.start);
    } else if (message.type === 'declined') {
      repair.declined(message.request, message.reason);
    } else if (message.type === 'text-tried') {
      repair.ownText.hear(message);
    } else if (message.type === 'models' || message.type === 'key-state' || message.type === 'model-answer') {
      repair.modelChoice.hear(message);
    }
  }

  private _repair: RepairModel | null = null;
  private _wrong = '';
  private _standing: Standing = 'asking';
  private _asking = 0;
  private _show: () => void = () => undefined;
  private readonly _answered = new Promise<void>(resolve => {
    this._show = resolve;
    window.setTimeout(resolve, PATIENCE);
  });
  private readonly _keyboard = new Keyboard();
  private readonly _press = new Press();
}

/** Each widget has one of its own, so that none can be taken for another kernel's. */
export default () => {
  const widget = new PanelWidget();
  return {
    initialize: (given: { model: WidgetModel }) => widget.initialize(given),
    render: (given: { model: WidgetModel; el: HTMLElement }) => widget.render(given)
  };
};

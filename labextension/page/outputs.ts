/** What a cell has put out: text, tracebacks as text, HTML, pictures and widgets. */

import type { KernelMessage } from '@jupyterlab/services';
import type { Widgets } from './widgets';

const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';
/** The colours of a terminal. */
const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** One place for an output; it may be drawn again. */
class Output {
  readonly node = document.createElement('div');

  constructor(readonly id: string) {
    this.node.className = 'output';
  }

  async draw(data: Record<string, unknown>, widgets: Widgets): Promise<void> {
    this.dispose();
    const view = data[WIDGET_VIEW] as { model_id: string } | undefined;
    if (view) {
      this._remove = await widgets.show(view.model_id, this.node);
    } else if (data['image/png']) {
      const image = document.createElement('img');
      image.src = `data:image/png;base64,${data['image/png']}`;
      this.node.replaceChildren(image);
    } else if (data['text/html']) {
      this.node.innerHTML = String(data['text/html']);
    } else {
      this.node.replaceChildren(textOf(String(data['text/plain'] ?? ''), 'text'));
    }
  }

  dispose(): void {
    this._remove();
    this._remove = () => undefined;
  }

  private _remove: () => void = () => undefined;
}

export class Outputs {
  readonly node = document.createElement('div');

  constructor(private _widgets: Widgets) {
    this.node.className = 'outputs';
  }

  clear(): void {
    for (const output of this._displayed) {
      output.dispose();
    }
    this._displayed = [];
    this._clears = false;
    this.node.replaceChildren();
  }

  take({ header, content }: KernelMessage.IIOPubMessage): void {
    const type = header.msg_type;
    // biome-ignore lint/suspicious/noExplicitAny: what is in it is said by the type
    const given = content as any;
    if (type === 'clear_output' && !given.wait) {
      this.clear();
    } else if (type === 'clear_output') {
      this._clears = true;
    } else if (type === 'stream') {
      this._add(textOf(given.text, given.name));
    } else if (type === 'error') {
      this._add(textOf(given.traceback.join('\n'), 'error'));
    } else if (type === 'display_data' || type === 'execute_result') {
      const output = new Output(given.transient?.display_id ?? '');
      this._add(output.node);
      this._displayed.push(output);
      void output.draw(given.data, this._widgets);
    } else if (type === 'update_display_data') {
      for (const output of this._displayed.filter(({ id }) => id === given.transient.display_id)) {
        void output.draw(given.data, this._widgets);
      }
    }
  }

  /** What was asked to be cleared goes when there is something new. */
  private _add(node: HTMLElement): void {
    if (this._clears) {
      this.clear();
    }
    this.node.append(node);
  }

  private _displayed: Output[] = [];
  private _clears = false;
}

function textOf(text: string, name: string): HTMLElement {
  const node = document.createElement('pre');
  node.className = `output ${name}`;
  node.textContent = text.replace(ANSI, '');
  return node;
}

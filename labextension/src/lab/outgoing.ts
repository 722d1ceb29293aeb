/** What would be sent to a model, asked of the kernel when somebody wants to see it. */

import type { OutgoingContext } from '../fromkernel';
import { h, setText } from '../panel/dom';
import type { RepairModel } from '../panel/repair';

export class Outgoing {
  readonly node: HTMLDetailsElement;

  /** `ask`: asks the kernel; false: nobody listens. */
  constructor(ask: (model: RepairModel) => boolean) {
    this._text.tabIndex = 0; // so that the keyboard can scroll it
    this._text.setAttribute('aria-label', 'What would be sent');
    this.node = h('details', 'rx-outgoing', this._summary, this._text);
    this.node.addEventListener('toggle', () => {
      if (this.node.open && this._model) {
        setText(this._text, ask(this._model) ? 'Asking the kernel…' : 'No kernel answers.');
      }
    });
  }

  hear({ repair, text }: OutgoingContext): void {
    if (repair === this._model?.state.repair) {
      setText(this._text, text);
    }
  }

  /** Draws it; `model`: the repair that a model would be asked about; null: there is none. `name`: its cell's. */
  update(model: RepairModel | null, name: string): void {
    if (model !== this._model) {
      this.node.open = false; // what it says is of another
      this._model = model;
    }
    this.node.hidden = model === null;
    setText(this._summary, `What would be sent if a model were asked about ${name}`);
  }

  private readonly _summary = h('summary', 'rx-summary');
  private readonly _text = h('pre', 'rx-printed');
  private _model: RepairModel | null = null;
}

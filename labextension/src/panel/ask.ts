/** Asking the model, with a hint; or how to choose a model. */

import type { PanelState } from '../state';
import type { Choices } from './choices';
import { button, h, prose, setText } from './dom';

export class AskBar {
  readonly node = h('form', 'rx-ask');

  constructor(
    private _choices: Choices,
    ask: (hint: string, allow: string) => void
  ) {
    this._hint.type = 'text';
    this._hint.placeholder = 'a hint, if you like';
    this._hint.setAttribute('aria-label', 'A hint for the model');
    this._hint.addEventListener('input', () => {
      _choices.hint = this._hint.value;
    });
    this._ask = button('Ask the model', 'Ask the model for a fix', 'rx-ask-button', () => undefined);
    this._ask.type = 'submit';
    this.node.addEventListener('submit', event => {
      event.preventDefault();
      ask(this._hint.value.trim(), this._allows);
    });
    this.node.append(this._hint, this._ask, this._how);
  }

  /** Draws it; `possible`: the kernel can be asked. */
  update(state: PanelState, shown: boolean, possible: boolean): void {
    // Where a button does it, the command need not be told.
    const how = state.chooses_model ? '' : state.model_hint;
    this.node.hidden = !shown || (!state.model && !how);
    this._hint.hidden = this._ask.hidden = !state.model;
    this._how.hidden = Boolean(state.model);
    this._hint.disabled = this._ask.disabled = !possible;
    // What a click allows is what the button says, whatever the kernel may say by then.
    this._allows = state.consent;
    const name = state.model || 'the model';
    setText(this._ask, state.consent ? `Allow ${state.consent} and ask ${name}` : `Ask ${name}`);
    const title = `Ask ${state.model || 'the model'} for a fix; your hint goes with it`;
    this._ask.title = state.model_terms ? `${title}. ${state.model_terms}` : title;
    if (this._hint.value !== this._choices.hint) {
      this._hint.value = this._choices.hint;
    }
    if (this._how.dataset.text !== how) {
      this._how.dataset.text = how;
      this._how.replaceChildren(...prose(how));
    }
  }

  /** Gives the button the keyboard, if somebody can be asked. */
  focus(): boolean {
    const shown = !this.node.hidden && !this._ask.hidden;
    if (shown) {
      this._ask.focus();
    }
    return shown;
  }

  private readonly _hint = h('input', 'rx-hint');
  private readonly _how = h('span', 'rx-how');
  private readonly _ask: HTMLButtonElement;
  private _allows = '';
}

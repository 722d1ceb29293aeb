/** Asking the model, with a hint; or choosing one, where nobody can be asked. */

import type { PanelState } from '../state';
import type { Choices } from './choices';
import { button, h, setText } from './dom';

const CHOOSE = 'Choose a language model that can be asked for a fix. Nothing is sent before you ask';

export class AskBar {
  readonly node = h('form', 'rx-ask');

  constructor(
    private _choices: Choices,
    ask: (hint: string, allow: string) => void,
    choose: () => void
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
    this._choose = button('Choose a model…', CHOOSE, 'rx-choose-model', choose);
    this.node.append(this._hint, this._ask, this._choose);
  }

  /** Draws it; `choosing`: the form for choosing a model is open. */
  update(state: PanelState, shown: boolean, choosing: boolean): void {
    this.node.hidden = !shown || !(state.model || state.chooses_model);
    this._hint.hidden = this._ask.hidden = !state.model;
    this._choose.hidden = Boolean(state.model);
    this._choose.classList.toggle('rx-quiet', state.fixes.length > 0);
    this._choose.setAttribute('aria-expanded', String(choosing));
    // What a click allows is what the button says, whatever the kernel may say by then.
    this._allows = state.consent;
    const name = state.model || 'the model';
    setText(this._ask, state.consent ? `Allow ${state.consent} and ask ${name}` : `Ask ${name}`);
    const title = `Ask ${state.model || 'the model'} for a fix; your hint goes with it`;
    this._ask.title = state.model_terms ? `${title}. ${state.model_terms}` : title;
    if (this._hint.value !== this._choices.hint) {
      this._hint.value = this._choices.hint;
    }
  }

  /** Gives the button the keyboard, if there is one. */
  focus(): boolean {
    if (!this.node.hidden) {
      (this._choose.hidden ? this._ask : this._choose).focus();
    }
    return !this.node.hidden;
  }

  private readonly _hint = h('input', 'rx-hint');
  private readonly _ask: HTMLButtonElement;
  private readonly _choose: HTMLButtonElement;
  private _allows = '';
}

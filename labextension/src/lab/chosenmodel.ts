/** The model that a kernel asks, and the form for choosing another: the panel's form, below no panel. */

import type { FromKernel, Welcome } from '../fromkernel';
import { button, h, setText } from '../panel/dom';
import type { FromModelForm } from '../panel/host';
import { ModelChoice } from '../panel/modelchoice';
import { ModelForm } from '../panel/modelform';
import type { KernelLink } from './link';

/** One kernel's form. */
class FormOf {
  readonly choice: ModelChoice;
  readonly form: ModelForm;

  constructor(
    readonly link: KernelLink,
    changed: () => void,
    leave: () => void
  ) {
    this.choice = new ModelChoice(changed);
    this.form = new ModelForm(
      this.choice,
      message => {
        const session = link.settings?.session ?? '';
        return link.send({ ...message, session, repair: '' } as FromModelForm) !== null;
      },
      leave
    );
  }
}

export class ChosenModel {
  readonly node: HTMLElement;

  constructor(private _changed: () => void) {
    this._choose = button('', 'Choose a language model that can be asked for a fix', 'rx-choose', () =>
      this._shown?.form.toggle()
    );
    this._drop = button('Ask none', 'No model is asked any more, in this kernel', 'rx-no-model', () => {
      this._shown?.link.send({ type: 'no-model' });
      this._choose.focus(); // this button goes
    });
    const line = h('div', 'rx-switch', this._name, this._choose, this._drop);
    this.node = h('div', 'rx-chosen-model', line, this._place);
  }

  /** What the kernel says to a form that is below no panel. */
  hear(message: FromKernel, link: KernelLink): void {
    const isForForm =
      message.type === 'models' || message.type === 'key-state' || message.type === 'model-answer';
    if (isForForm && message.repair === '' && this._shown?.link === link) {
      this._shown.choice.hear(message);
    }
  }

  /** Draws what the kernel has said. */
  update(link: KernelLink, { model, server }: Welcome): void {
    if (this._shown?.link !== link) {
      this._shown?.form.dispose();
      this._shown = new FormOf(link, this._changed, () => this._choose.focus());
      this._place.replaceChildren(this._shown.form.node);
    }
    const where = server ? ` (${server})` : '';
    setText(this._name, model ? `Model: ${model}${where}` : 'No model is asked');
    setText(this._choose, model ? 'Change…' : 'Choose a model…');
    this._choose.setAttribute('aria-expanded', String(this._shown.choice.open));
    this._drop.hidden = !model;
    if (this._shown.form.update(true)) {
      this._choose.focus();
    }
  }

  private readonly _name = h('span', 'rx-model-in-use');
  private readonly _choose: HTMLButtonElement;
  private readonly _drop: HTMLButtonElement;
  private readonly _place = h('div');
  private _shown: FormOf | null = null;
}

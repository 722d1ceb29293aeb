/** Whether a fix is looked for, and when it is tried: what is set for one kernel. */

import type { Welcome } from '../fromkernel';
import type { Enable, SetTrial } from '../frompage';
import { h } from '../panel/dom';
import { newId } from '../panel/newid';

const TRIALS: Record<SetTrial['trial'], string> = {
  automatic: 'by themselves',
  'on click': 'when I click',
  off: 'never'
};

export class Switches {
  readonly node: HTMLElement;

  constructor(send: (message: Enable | SetTrial) => void) {
    this._enabled.type = 'checkbox';
    this._enabled.addEventListener('change', () => send({ type: 'enable', enabled: this._enabled.checked }));
    for (const [value, label] of Object.entries(TRIALS)) {
      const option = h('option', '', label);
      option.value = value;
      this._trial.append(option);
    }
    this._trial.addEventListener('change', () =>
      send({ type: 'set-trial', trial: this._trial.value as SetTrial['trial'] })
    );
    const label = h('label', '', 'Fixes are tried in a copy of the kernel');
    label.htmlFor = this._trial.id = newId();
    this.node = h(
      'div',
      'rx-switches',
      h('label', 'rx-switch', this._enabled, 'Look for a fix when a cell fails'),
      h('div', 'rx-switch', label, this._trial)
    );
  }

  /** Draws what the kernel has said. */
  update({ enabled, trial }: Welcome): void {
    this._enabled.checked = enabled;
    this._trial.value = trial;
  }

  /** Gives the first of them the keyboard. */
  focus(): void {
    this._enabled.focus();
  }

  private readonly _enabled = h('input');
  private readonly _trial = h('select', 'rx-hint rx-trial');
}

/** What can be done where no fix has passed: names that may be meant, cells to go to, a model to choose. */

import type { PanelState, StepView } from '../state';
import { button, h, prose } from './dom';

const INSTEAD =
  'Put this name in and try it on a copy of your kernel. Nothing runs in the kernel before you accept it';

/** Where the panel neither sees the cell nor gets to it. */
const BY_HAND =
  'To mend it by hand, run `%reflex edit` in a new cell: it puts this cell there, to go on where it failed.';
const CHOOSE_MODEL = 'Choose a language model that can be asked for a fix. Nothing is sent before you ask';

export class NextSteps {
  readonly node = h('div', 'rx-steps');

  /** `goTo`: takes the user to a cell; null where nothing can. */
  constructor(
    private _choose: (name: string) => void,
    private _goTo: ((step: StepView) => void) | null,
    chooseModel: () => void
  ) {
    this._model = button('Choose a model…', CHOOSE_MODEL, 'rx-choose-model', chooseModel);
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', 'What you can do');
    this.node.tabIndex = -1;
  }

  /** Draws them; null: there is nothing to do. Returns whether the button that had the keyboard is gone. */
  update(state: PanelState | null): boolean {
    const names = state?.names ?? [];
    const known = state?.steps ?? [];
    const steps = this._goTo ? known : [];
    const byHand = known.length > steps.length && state?.fixes.length === 0; // a fix can be edited in the panel
    const choosesModel = state?.chooses_model ?? false;
    const drawn = JSON.stringify([names, steps, byHand, choosesModel]);
    this.node.hidden = names.length + steps.length === 0 && !byHand && !choosesModel;
    if (drawn === this._drawn) {
      return false;
    }
    this._drawn = drawn;
    const had = this.node.contains(document.activeElement);
    this.node.replaceChildren(
      ...(names.length ? [h('span', 'rx-how', 'Did you mean')] : []),
      ...names.map(name => this._chip(name)),
      ...steps.map(step => button(step.label, step.title, 'rx-step', () => this._goTo?.(step))),
      ...(choosesModel ? [this._model] : []),
      ...(byHand ? [h('span', 'rx-by-hand', ...prose(BY_HAND))] : [])
    );
    return had;
  }

  /** Gives the button that opens the form for choosing a model the keyboard, if it is there. */
  focusModel(): boolean {
    this._model.focus();
    return this._model.isConnected && !this.node.hidden;
  }

  /** Draws whether the form is open. */
  expand(open: boolean): void {
    this._model.setAttribute('aria-expanded', String(open));
  }

  private _chip(name: string): HTMLButtonElement {
    const chip = button(name, `${name}: ${INSTEAD}`, 'rx-chip', () => this._choose(name));
    chip.setAttribute('aria-label', `Use ${name} instead`);
    return chip;
  }

  private _drawn = '[[],[],false,false]';
  private readonly _model: HTMLButtonElement;
}

/** What can be done where no fix has passed: names that may be meant, cells to go to. */

import type { FixView, PanelState, StepView } from '../state';
import { button, h, prose } from './dom';

const INSTEAD =
  'Put this name in and try it on a copy of your kernel. Nothing runs in the kernel before you accept it';

/** Where the panel neither sees the cell nor gets to it. */
const BY_HAND =
  'To mend it by hand, run `%reflex edit` in a new cell: it puts this cell there, to go on where it failed.';
/** Whether there is a text in the panel that can be edited. */
function changesText({ edits }: FixView): boolean {
  return edits.some(({ expected, source }) => expected !== source);
}

export class NextSteps {
  readonly node = h('div', 'rx-steps');

  /** `goTo`: takes the user to a cell; null where nothing can. */
  constructor(
    private _choose: (name: string) => void,
    private _goTo: ((step: StepView) => void) | null
  ) {
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', 'What you can do');
    this.node.tabIndex = -1;
  }

  /** Draws them; null: there is nothing to do. Returns whether the button that had the keyboard is gone. */
  update(state: PanelState | null): boolean {
    const names = state?.names ?? [];
    const known = state?.steps ?? [];
    const fixed = state?.fixes.some(changesText) ?? false; // that is edited in the panel
    const steps = this._goTo ? known.filter(step => !(fixed && step.edit)) : [];
    const byHand = this._goTo === null && known.length > 0 && state?.fixes.length === 0;
    const drawn = JSON.stringify([names, steps, byHand]);
    this.node.hidden = names.length + steps.length === 0 && !byHand;
    if (drawn === this._drawn) {
      return false;
    }
    this._drawn = drawn;
    const had = this.node.contains(document.activeElement);
    this.node.replaceChildren(
      ...(names.length ? [h('span', 'rx-how', 'Did you mean')] : []),
      ...names.map(name => this._chip(name)),
      ...steps.map(step => button(step.label, step.title, 'rx-step', () => this._goTo?.(step))),
      ...(byHand ? [h('span', 'rx-by-hand', ...prose(BY_HAND))] : [])
    );
    return had;
  }

  private _chip(name: string): HTMLButtonElement {
    const chip = button(name, `${name}: ${INSTEAD}`, 'rx-chip', () => this._choose(name));
    chip.setAttribute('aria-label', `Use ${name} instead`);
    return chip;
  }

  private _drawn = '[[],[],false]';
}

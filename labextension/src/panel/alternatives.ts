/** The fixes to choose from where several things may be meant. None of them is preselected. */

import type { FixView, PanelState } from '../state';
import { h, prose, setText } from './dom';
import { printable } from './hidden';
import { noticeLine } from './reasons';
import { shortDiff } from './shortdiff';
import * as words from './words';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export class Alternatives {
  readonly node = h('div', 'rx-alternatives');

  constructor(private _pick: (fix: FixView) => void) {
    this.node.tabIndex = -1;
    this.node.setAttribute('role', 'group');
    this.node.append(h('div', 'rx-asked', this._question, this._how), this._list);
    this.node.addEventListener('keydown', event => this._key(event));
  }

  /** Draws them; null: there is nothing to choose. `live`: one can be picked, else they only can be read. */
  update(state: PanelState | null, live: boolean): void {
    this.node.hidden = state === null;
    const drawn = state && JSON.stringify([state.question, state.fixes, live]);
    if (drawn === this._drawn) {
      return;
    }
    this._drawn = drawn;
    if (state) {
      this._draw(state, live);
    } else {
      this._which = '';
      this._fixes = [];
      this._makePlaces(false);
    }
  }

  focus(): void {
    this.node.focus({ preventScroll: true });
  }

  private _draw({ question, fixes }: PanelState, live: boolean): void {
    const asked = live ? question : words.WAS_ASKED;
    setText(this._question, asked);
    setText(this._how, live ? words.howToChoose(fixes.length) : '');
    this.node.setAttribute('aria-label', printable(asked));
    this._fixes = fixes;
    const which = JSON.stringify([live, fixes.map(fix => fix.id)]);
    if (which !== this._which) {
      this._which = which;
      this._makePlaces(live);
    }
    for (const [index, fix] of fixes.entries()) {
      this._places[index]?.replaceChildren(...contents(fix, index + 1, live));
    }
  }

  /** One for each fix. They stay while no more than what is known of these changes: a pressed button is not lost. */
  private _makePlaces(live: boolean): void {
    const focused = this._places.indexOf(document.activeElement as HTMLElement);
    this._live = live;
    this._places = this._fixes.map((_, index) => (live ? this._button(index) : h('div', 'rx-alternative')));
    this._list.replaceChildren(...this._places.map(place => h('li', '', place)));
    if (focused >= 0) {
      (this._buttons[focused] ?? this.node).focus({ preventScroll: true });
    }
  }

  private _button(index: number): HTMLElement {
    // The second class tells it from the others where the keyboard is given back to it.
    const element = h('button', `rx-alternative rx-alternative-${index + 1}`);
    element.type = 'button';
    element.title = words.CHOOSE;
    element.addEventListener('click', () => this._pickAt(index));
    return element;
  }

  private _pickAt(index: number): void {
    const fix = this._live ? this._fixes[index] : undefined;
    if (fix) {
      this._pick(fix);
    }
  }

  private get _buttons(): HTMLElement[] {
    return this._live ? this._places : [];
  }

  /** The arrows go from one to the next; a number picks. */
  private _key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      return;
    }
    const number = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    const step = STEPS[event.key];
    if (number > 0 && number <= this._buttons.length) {
      event.preventDefault();
      this._pickAt(number - 1);
    } else if (step) {
      event.preventDefault();
      this._go(step);
    }
  }

  private _go(step: number): void {
    const buttons = this._buttons;
    const here = buttons.indexOf(document.activeElement as HTMLElement);
    const next = here < 0 && step < 0 ? buttons.length - 1 : here + step;
    buttons[Math.max(0, Math.min(next, buttons.length - 1))]?.focus();
  }

  private readonly _question = h('span', 'rx-question');
  private readonly _how = h('span', 'rx-how');
  private readonly _list = h('ol', 'rx-list');
  private _fixes: readonly FixView[] = [];
  private _places: HTMLElement[] = [];
  private _live = false;
  private _which = '';
  private _drawn: string | null = null;
}

/** `told`: the kernel vouches for what is known of it. */
function contents(fix: FixView, number: number, told: boolean): HTMLElement[] {
  const badge = h('span', 'rx-badge', String(number));
  const change = h('div', 'rx-short rx-diff', ...shortDiff(fix));
  const why = h('div', 'rx-why', ...prose(fix.explanation));
  return [badge, change, why, ...(told ? [outcome(fix)] : [])];
}

/** What it gives tells it from the others; that it ran goes without saying then. */
function outcome(fix: FixView): HTMLElement {
  const gives = fix.gives ? [h('div', 'rx-gives', ...parts(fix.gives))] : [];
  const quiet = fix.gives !== '' && fix.verdict.tone === 'good';
  const dangers = fix.findings.filter(finding => finding.tone === 'bad').slice(0, 1);
  const lines = [...(quiet ? [] : [fix.verdict]), ...dangers];
  return h('div', 'rx-outcome', ...gives, ...lines.map(line => noticeLine(line)));
}

/** A line whose parts stay together where it wraps. */
function parts(gives: string): HTMLElement[] {
  return gives.split(/(?<= ·) /).map(part => h('span', 'rx-part', ...prose(part)));
}

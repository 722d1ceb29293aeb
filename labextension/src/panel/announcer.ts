/** Tells a screen reader what has come of a failure: once, and not at each drawing. */

import { h, plain } from './dom';
import { printable } from './hidden';
import type { RepairModel } from './repair';
import type { Standpoint } from './standpoint';
import * as words from './words';

/** Milliseconds: a live region that is new on the page is heard only when it has been there before its words. */
const SETTLING = 100;

/** What is to be heard just now; empty: nothing. `edited`: what was proposed; `lead`: what is said in the verdict's place. */
export function heard(at: Standpoint, edited: boolean, lead: string): string {
  const { decided, local, state } = at.model;
  const unsettled = decided ? local?.awaited : at.working;
  if (!at.live || at.folded || unsettled) {
    return '';
  }
  if (at.choosing) {
    return state.question;
  }
  return at.open && at.fix ? words.ready(edited ? at.model.ownText.verdict : at.fix.verdict) : lead;
}

export class Announcer {
  readonly node = h('div', 'rx-announcer');

  constructor(private _model: RepairModel) {
    this.node.setAttribute('role', 'status');
    this.node.setAttribute('aria-live', 'polite');
  }

  /** Says it, unless that was the last thing that was said of this repair, in whichever drawing of it. */
  say(text: string): void {
    this._text = text;
    if (text && text !== this._model.said && this._timer === null) {
      this._timer = window.setTimeout(() => this._speak(), SETTLING);
    }
  }

  dispose(): void {
    if (this._timer !== null) {
      window.clearTimeout(this._timer);
    }
  }

  private _speak(): void {
    this._timer = null;
    if (this._text && this._text !== this._model.said) {
      this._model.said = this._text;
      this.node.textContent = printable(plain(this._text));
    }
  }

  private _text = '';
  private _timer: number | null = null;
}

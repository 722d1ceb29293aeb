/** Who is at work, since when, and what the model writes. */

import { button, h, prose, setText } from './dom';

export class Progress {
  readonly node: HTMLElement;

  constructor(cancel: () => void) {
    this._cancel = button('Cancel', 'Stop; what was found so far is kept', 'rx-cancel', cancel);
    const pulse = h('span', 'rx-pulse');
    pulse.setAttribute('aria-hidden', 'true');
    this._seconds.setAttribute('aria-hidden', 'true');
    this._written.setAttribute('aria-label', 'What the model has written so far');
    this._written.tabIndex = 0;
    const line = h('div', 'rx-progress-line', pulse, this._who, this._seconds, this._cancel);
    this.node = h('div', 'rx-progress', line, this._written);
  }

  /** Draws it; an empty `working` hides it. */
  update(working: string, text: string, cancellable: boolean): void {
    this.node.hidden = !working;
    this._name(working);
    this._cancel.disabled = !cancellable;
    this._written.hidden = !text;
    this._write(text);
    if (working && this._clock === null) {
      this._since = Date.now();
      this._clock = window.setInterval(() => this._tick(), 1000);
      this._tick();
    } else if (!working) {
      this.dispose();
    }
  }

  dispose(): void {
    if (this._clock !== null) {
      window.clearInterval(this._clock);
      this._clock = null;
    }
  }

  private _name(working: string): void {
    if (this._named !== working) {
      this._named = working;
      this._who.replaceChildren(...prose(working));
    }
  }

  /** Shows the text, and keeps its end in view unless the reader has scrolled up. */
  private _write(text: string): void {
    const box = this._written;
    if (box.textContent === text) {
      return; // to ask for its height would make the browser lay the whole page out
    }
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 24;
    setText(box, text);
    if (atEnd) {
      box.scrollTop = box.scrollHeight;
    }
  }

  private _tick(): void {
    const seconds = Math.round((Date.now() - this._since) / 1000);
    setText(this._seconds, seconds ? `${seconds} s` : '');
  }

  private readonly _who = h('span', 'rx-who');
  private readonly _seconds = h('span', 'rx-seconds');
  private readonly _written = h('pre', 'rx-written');
  private readonly _cancel: HTMLButtonElement;
  private _named = '';
  private _since = 0;
  private _clock: number | null = null;
}

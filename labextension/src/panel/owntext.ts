/** A fix as the user has changed it: it is tried by itself once the typing pauses, and has a verdict of its own. */

import type { TextTried } from '../fromkernel';
import type { FixView, Notice } from '../state';
import * as words from './words';

/** Milliseconds without a change after which the text is tried. */
const PAUSE = 500;

export class OwnText {
  constructor(private _changed: () => void) {}

  /** Whether the user has changed the fix that is shown. */
  get some(): boolean {
    return this._text !== null;
  }

  /** What is known of the present text. */
  get verdict(): Notice {
    return this._said?.verdict ?? (this._said?.trying ? words.TRYING : words.EDITED);
  }

  /**
   * Takes note of the present text of the fix that is shown; null: it is as proposed, or can't be decided on.
   * `tryIt` asks the kernel, and gives the name under which it answers.
   */
  follow(fix: FixView, sources: string[] | null, tryIt: () => string): void {
    // With what is known of the proposal: that changes where another cell has run since.
    const text = sources && JSON.stringify([fix.id, fix.verdict.text, sources]);
    if (text === this._text) {
      return;
    }
    this.forget();
    this._text = text;
    if (text !== null) {
      this._pause = setTimeout(() => {
        this._request = tryIt();
      }, PAUSE);
    }
  }

  /** Nothing is asked any more, and no answer counts. */
  forget(): void {
    clearTimeout(this._pause);
    this._text = this._said = null;
    this._request = '';
  }

  /** What the kernel says; of an older text it does not count. */
  hear(answer: TextTried): void {
    if (answer.request === this._request) {
      this._said = answer;
      this._changed();
    }
  }

  private _text: string | null = null;
  private _request = '';
  private _said: TextTried | null = null;
  private _pause: ReturnType<typeof setTimeout> | undefined;
}

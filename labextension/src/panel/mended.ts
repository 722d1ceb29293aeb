/** The failed cell as the user has changed it by hand: whether it can go on where it failed. */

import type { Resumable } from '../fromkernel';
import { button, h, prose, setText } from './dom';

const CHANGED = 'You have changed this cell.';
/** What the button does, where what ran is not run again. */
const RESUMES = 'Resuming runs your text from there on; what had run does not run again.';
const AS_USUAL = 'Run it as usual.';
const INSTEAD = 'To accept the fix above instead, undo your change.';
const TITLE = 'Run the cell as you have changed it from there on: what has run does not run again';

export class Mended {
  readonly node = h('div', 'rx-mended');

  constructor(resume: () => void) {
    this._resume = button('Resume', TITLE, 'rx-primary rx-resume', resume);
    this.node.setAttribute('role', 'status');
    this.node.append(this._words, this._resume);
  }

  /** Draws what the kernel says of the present text; null: nothing. `fix`: there is one, of the old text. */
  update(answer: Resumable | null, fix: boolean): void {
    const label = answer?.label ?? '';
    const words = answer ? said(answer, fix) : '';
    this.node.hidden = !words;
    this._resume.hidden = !label;
    setText(this._resume, label);
    if (this._words.dataset.text !== words) {
      this._words.dataset.text = words;
      this._words.replaceChildren(...prose(words));
    }
  }

  private readonly _resume: HTMLButtonElement;
  private readonly _words = h('span', 'rx-mended-words');
}

/** That it was changed, what can be done with it, and how to get back. */
function said({ label, words }: Resumable, fix: boolean): string {
  const repeats = words ? `It ${words}.` : RESUMES;
  return [CHANGED, ...(label ? [repeats] : [words, AS_USUAL]), ...(fix ? [INSTEAD] : [])].join(' ');
}

/** The failed cell as the user has changed it by hand: whether it can go on where it failed. */

import type { Resumable } from '../messages';
import { button, h, prose, setText } from './dom';

const TITLE = 'Run the cell as you have changed it from there on: what has run does not run again';

export class Mended {
  readonly node = h('div', 'rx-mended');

  constructor(resume: () => void) {
    this._resume = button('Resume', TITLE, 'rx-primary rx-resume', resume);
    this.node.setAttribute('role', 'status');
    this.node.append(this._resume, this._words);
  }

  /** Draws what the kernel says of the present text; null: nothing. */
  update(answer: Resumable | null): void {
    const label = answer?.label ?? '';
    const words = label
      ? ['You have changed this cell.', answer?.words].join(' ').trim()
      : (answer?.words ?? '');
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

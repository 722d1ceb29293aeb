/** What was seen when a fix was tried: folded away, since the verdict has said the main thing. */

import type { FixView, Preview } from '../state';
import type { FixChoices } from './choices';
import { h, prose } from './dom';

/** Nothing but base64: what else would stand in the image's address is not a trial's. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}\s*$/;

export class PreviewFold {
  readonly node = h('details', 'rx-preview');

  constructor() {
    this.node.append(this._summary, this._body);
    this.node.addEventListener('toggle', () => {
      if (this._choices) {
        this._choices.looking = this.node.open;
      }
    });
  }

  /** Draws it; `choices`: where it is remembered that it was opened. */
  update(fix: FixView, choices: FixChoices): void {
    if (fix.preview && fix.preview !== this._drawn) {
      this._draw(fix.preview);
    }
    this._choices = choices;
    this.node.open = choices.looking;
  }

  private _draw(preview: Preview): void {
    const same = JSON.stringify(preview) === JSON.stringify(this._drawn);
    this._drawn = preview;
    if (!same) {
      this._summary.replaceChildren(...prose(preview.summary));
      this._body.replaceChildren(...contents(preview));
    }
  }

  private readonly _summary = h('summary', 'rx-summary');
  private readonly _body = h('div', 'rx-seen');
  private _choices: FixChoices | null = null;
  private _drawn: Preview | null = null;
}

function contents({ output, image, changes }: Preview): HTMLElement[] {
  const lines = changes.map(change => h('li', '', ...prose(change)));
  return [
    ...(output ? [printed(output)] : []),
    ...(BASE64.test(image) ? [figure(image)] : []),
    ...(lines.length ? [h('ul', 'rx-effects', ...lines)] : [])
  ];
}

function printed(output: string): HTMLElement {
  const box = h('pre', 'rx-printed', output);
  box.tabIndex = 0; // so that the keyboard can scroll it
  box.setAttribute('aria-label', 'What it printed and showed');
  return box;
}

function figure(image: string): HTMLElement {
  const picture = h('img', 'rx-figure');
  picture.src = `data:image/png;base64,${image.trim()}`;
  picture.alt = 'The first figure that it shows';
  return picture;
}

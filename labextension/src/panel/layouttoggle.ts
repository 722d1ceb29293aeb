/** The button that shows old and new side by side, or one below the other. */

import type { Layout } from './diffpane';
import { button } from './dom';

const SVG = 'http://www.w3.org/2000/svg';
const TITLE = 'Show old and new side by side, or one below the other';

export class LayoutToggle {
  readonly node: HTMLButtonElement;

  constructor(turn: () => void) {
    this.node = button('', TITLE, 'rx-quiet rx-turn', turn);
    this.node.setAttribute('aria-label', 'Side by side');
    this.node.append(twoColumns());
  }

  /** Draws it; null: there is nothing to be shown another way. */
  update(layout: Layout | null): void {
    this.node.hidden = layout === null;
    this.node.setAttribute('aria-pressed', String(layout === 'split'));
  }
}

/** A rectangle that is cut in two. */
function twoColumns(): SVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', '0 0 16 16');
  picture.setAttribute('aria-hidden', 'true');
  const lines = document.createElementNS(SVG, 'path');
  lines.setAttribute('d', 'M1.5 2.5h13v11h-13zM8 2.5v11');
  picture.append(lines);
  return picture;
}

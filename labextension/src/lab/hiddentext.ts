/** Marks the hidden characters in a merge view: in its editors, and in the removed lines that it draws between theirs. */

import type { Extension } from '@codemirror/state';
import { type EditorView, highlightSpecialChars, ViewPlugin } from '@codemirror/view';
import { HIDDEN, mark, marked } from '../panel/hidden';

function markRemoved(node: HTMLElement): void {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.search(HIDDEN) >= 0) {
      found.push(text);
    }
  }
  for (const text of found) {
    text.replaceWith(...marked(text.data));
  }
}

/** Removed lines are drawn without the editor's decorations, and whenever they come into view. */
const inRemovedLines = ViewPlugin.fromClass(
  class {
    constructor(private _view: EditorView) {
      this.update();
    }

    update(): void {
      this._view.requestMeasure({
        key: this,
        read: view => [...view.dom.querySelectorAll<HTMLElement>('.cm-deletedChunk')],
        write: chunks => chunks.forEach(markRemoved)
      });
    }
  }
);

export const hiddenText: Extension = [
  highlightSpecialChars({ specialChars: HIDDEN, render: code => mark(code) }),
  inRemovedLines
];

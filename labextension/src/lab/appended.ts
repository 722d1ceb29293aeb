/**
 * Lines at the end of a cell, which has no line feed there: the merge view takes them for a change of the line before,
 * since that gets one. It is drawn as it is, unchanged.
 */

import { getChunks, getOriginalDoc } from '@codemirror/merge';
import { type EditorState, type Extension, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

const unchanged = Decoration.line({ class: 'rx-unchanged' });

/** In a unified view. */
export function appendedLines(): Extension {
  return StateField.define<DecorationSet>({
    create: draw,
    update: (drawn, { startState, state }) =>
      getChunks(state)?.chunks === getChunks(startState)?.chunks ? drawn : draw(state),
    provide: field => EditorView.decorations.from(field)
  });
}

function draw(state: EditorState): DecorationSet {
  const at = lastOldLine(getOriginalDoc(state), state);
  return at === null ? Decoration.none : Decoration.set([unchanged.range(at)]);
}

/** Where the old text's last line begins in the new one, if the last change has more lines after it; else null. */
function lastOldLine(before: Text, state: EditorState): number | null {
  const after = state.doc;
  const chunk = getChunks(state)?.chunks.slice(-1)[0];
  if (!chunk || chunk.fromA > before.length || chunk.toA <= before.length || chunk.fromB > after.length) {
    return null;
  }
  const count = before.lines - before.lineAt(chunk.fromA).number;
  const number = after.lineAt(chunk.fromB).number + count;
  const same = number < after.lines && after.line(number).text === before.line(before.lines).text;
  return same ? after.line(number).from : null;
}

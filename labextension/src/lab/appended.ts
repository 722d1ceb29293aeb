/**
 * Lines that were added or removed at the end of a cell, which has no line feed there: the merge view takes that for a
 * change of the line before, since it gets or loses one. That line is drawn as it is, unchanged.
 */

import { type Chunk, getChunks } from '@codemirror/merge';
import { type EditorState, type Extension, RangeSet, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutterLineClass } from '@codemirror/view';
import { linePairs } from './linepairs';
import { markByLine } from './marks';

const unchanged = Decoration.line({ class: 'rx-unchanged' });

const unchangedGutter = new (class extends GutterMarker {
  override elementClass = 'rx-unchanged-gutter';
})();

/** The old and the new text, and which of them this editor has. */
export interface Sides {
  own: 'old' | 'new';
  other: () => Text;
  /** The old lines stand above the new ones, not beside them. */
  unified: boolean;
}

/** In one editor of a merge view: its marks end with their lines, and that line is unchanged. */
export function appendedLines(sides: Sides): Extension {
  return StateField.define<DecorationSet>({
    create: state => draw(state, sides),
    update: (drawn, { startState, state }) =>
      getChunks(state)?.chunks === getChunks(startState)?.chunks ? drawn : draw(state, sides),
    provide: field => [
      EditorView.decorations.from(field),
      gutterLineClass.compute([field], state => {
        const line = state.field(field).iter();
        return line.value ? RangeSet.of([unchangedGutter.range(line.from)]) : RangeSet.empty;
      })
    ]
  });
}

function draw(state: EditorState, { own, other, unified }: Sides): DecorationSet {
  const [before, after] = own === 'old' ? [state.doc, other()] : [other(), state.doc];
  const chunks = getChunks(state)?.chunks ?? [];
  // Between two updates of the editors the changes may be those of an older text.
  if (chunks.some(({ endA, endB }) => endA > before.length || endB > after.length)) {
    return Decoration.none;
  }
  markByLine(chunks, before, after);
  const same = sameLine(chunks[chunks.length - 1], before, after);
  // Above a line, what was removed after it can't be drawn: there all is one change.
  if (same === null || (unified && same.old.number < before.lines)) {
    return Decoration.none;
  }
  return Decoration.set([unchanged.range((own === 'old' ? same.old : same.now).from)]);
}

/** The line before those that the last change has added or removed at the end; null: it is no such change. */
function sameLine(chunk: Chunk | undefined, before: Text, after: Text) {
  if (!chunk || chunk.toA <= before.length || chunk.toB <= after.length) {
    return null;
  }
  const [first, other] = [before.lineAt(chunk.fromA).number, after.lineAt(chunk.fromB).number];
  const old = before.sliceString(chunk.fromA).split('\n');
  const now = after.sliceString(chunk.fromB).split('\n');
  const pair = linePairs(old, now).find(
    ([i, j]) => old[i] === now[j] && (i === old.length - 1 || j === now.length - 1) // not both: that is no change
  );
  return pair ? { old: before.line(first + pair[0]), now: after.line(other + pair[1]) } : null;
}

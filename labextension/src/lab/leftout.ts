/** The changes of a fix that were left out: a line for each stays in its place, and puts it back. */

import { Chunk, getChunks } from '@codemirror/merge';
import { type EditorState, type Extension, type Range, StateField, Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { button, h } from '../panel/dom';

/** Where the old lines stand in the editor, and what they would become. */
interface LeftOut {
  from: number;
  to: number;
  insert: string;
}

class Ghost extends WidgetType {
  constructor(private _change: LeftOut) {
    super();
  }

  override eq({ _change: other }: Ghost): boolean {
    const { from, to, insert } = this._change;
    return from === other.from && to === other.to && insert === other.insert;
  }

  override toDOM(view: EditorView): HTMLElement {
    const [line = '', ...more] = this._change.insert.replace(/\n$/, '').split('\n');
    const rest = more.length > 0 ? ` … ${more.length + 1} lines` : '';
    const put = () => view.dispatch({ changes: this._change, userEvent: 'input' });
    return h(
      'div',
      'rx-ghost',
      h('span', 'rx-ghost-label', 'Left out'),
      h('code', 'rx-text', line.trim() ? `${line.trim()}${rest}` : 'a removal'),
      button('Put back', 'Take this change after all', 'rx-put-back', put)
    );
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Draws them. `original`: the old text; `proposal`: the text of the fix. */
export function leftOutLines(original: string, proposal: string): Extension {
  const [before, after] = [original, proposal].map(text => Text.of(text.split(/\r?\n/))) as [Text, Text];
  const proposed = Chunk.build(before, after);
  const draw = (state: EditorState): DecorationSet =>
    Decoration.set(proposed.flatMap(chunk => ghosts(state, after, chunk)));
  return StateField.define<DecorationSet>({
    create: draw,
    update: (drawn, { startState, state }) =>
      getChunks(state)?.chunks === getChunks(startState)?.chunks ? drawn : draw(state),
    provide: field => EditorView.decorations.from(field)
  });
}

/** The line in the place of a proposed change, where the old lines stand again. */
function ghosts(state: EditorState, after: Text, chunk: Chunk): Range<Decoration>[] {
  const present = getChunks(state)?.chunks ?? [];
  if (present.some(other => other.fromA <= chunk.toA && other.toA >= chunk.fromA)) {
    return [];
  }
  const [last] = present.filter(other => other.toA <= chunk.fromA).slice(-1);
  const moved = last ? last.toB - last.toA : 0;
  const end = chunk.toA + moved;
  const text = after.sliceString(chunk.fromB, Math.max(chunk.fromB, chunk.toB - 1));
  const insert = chunk.fromB < chunk.toB && end <= state.doc.length ? `${text}\n` : text;
  const change = { from: chunk.fromA + moved, to: Math.min(state.doc.length, end), insert };
  const widget = new Ghost(change);
  return [Decoration.widget({ widget, block: true, side: -1 }).range(change.from)];
}

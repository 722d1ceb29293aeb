/** A diff in Lab's own editor: its highlighting, its theme, and editing as in a cell. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { diff, getChunks, MergeView, unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension, type Text, Transaction } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { jupyterTheme } from '@jupyterlab/codemirror';
import type { DiffPane, Extent, Layout, PaneOptions } from '../panel/diffpane';
import { button, h } from '../panel/dom';
import { appendedLines } from './appended';
import { hiddenText } from './hiddentext';
import { leftOutLines } from './leftout';

const COLLAPSE = { margin: 3, minSize: 4 };
/** A click on it gives it the keyboard all the same: else nothing on the page would have it. */
const NEVER = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ tabindex: '-1', 'aria-readonly': 'true' })
];

/** The control that leaves a hunk out. The merge view asks for one to take it over as well: that is what Accept does. */
function control(type: 'accept' | 'reject', action: (event: MouseEvent) => void): HTMLElement {
  const leave = button('Leave out', 'Keep the old lines here', 'rx-leave', () => undefined);
  leave.addEventListener('mousedown', action);
  leave.addEventListener('click', event => {
    if (event.detail === 0) {
      action(event); // from the keyboard
    }
  });
  return type === 'reject' ? leave : h('span');
}

export class MergePane implements DiffPane {
  readonly node = h('div', 'rx-pane rx-merge');

  constructor(
    parent: HTMLElement,
    private _options: PaneOptions,
    private _language: Extension
  ) {
    parent.append(this.node);
    this._mount(_options.choices?.draft ?? _options.edit.source, _options.layout);
  }

  source(): string {
    // The editor knows lines and not how they ended: what was not touched is given back as it came.
    const { source } = this._options.edit;
    const now = this._editor?.state.doc;
    return !now || now.eq(EditorState.create({ doc: source }).doc) ? source : now.toString();
  }

  changes(): Extent[] {
    const editor = this._editor;
    const chunks = (editor && getChunks(editor.state)?.chunks) ?? [];
    return chunks.flatMap(chunk => {
      if (!editor) {
        return [];
      }
      const { doc } = editor.state;
      const first = chunk.fromB + (chunk.changes[0]?.fromB ?? 0);
      const [start, end, letters] = [chunk.fromB, Math.max(chunk.fromB, chunk.endB), first].map(at =>
        Math.min(at, doc.length)
      ) as [number, number, number];
      const [from, to] = [doc.lineAt(start).number, doc.lineAt(end).number];
      return [
        {
          top: editor.documentTop + editor.lineBlockAt(start).top,
          bottom: editor.documentTop + editor.lineBlockAt(end).bottom,
          from,
          to,
          mark: from === to && chunk.toB > chunk.fromB ? (editor.coordsAtPos(letters)?.top ?? null) : null
        }
      ];
    });
  }

  setLayout(layout: Layout): void {
    this._mount(this.source(), layout);
  }

  setEditable(editable: boolean): void {
    this._editable = editable;
    this._editor?.dispatch({ effects: this._access.reconfigure(editable ? [] : NEVER) });
    if (editable && this.node.isConnected) {
      this._editor?.focus();
    }
  }

  reset(): void {
    this._mount(this._options.edit.source, this._layout);
    this._noted();
  }

  dispose(): void {
    this._unmount();
    this.node.remove();
  }

  private _mount(source: string, layout: Layout): void {
    this._unmount();
    this._layout = layout;
    const choosable =
      this._options.choices !== null && this._options.edit.hunks.filter(hunk => hunk.changed).length > 1;
    if (layout === 'split') {
      this._split = this._makeSplit(choosable);
      this._editor = this._split.b;
    } else {
      this._editor = this._makeUnified(choosable);
    }
    this._redo(source);
  }

  /** Does to the proposal what the user did: then what is folded are the lines that it leaves alone. */
  private _redo(source: string): void {
    const proposal = this._editor?.state.doc.toString() ?? '';
    const changes = diff(proposal, source).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: source.slice(fromB, toB)
    }));
    if (source !== this._options.edit.source) {
      this._editor?.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
    }
  }

  private _makeUnified(choosable: boolean): EditorView {
    const merge = unifiedMergeView({
      original: this._options.edit.expected,
      mergeControls: choosable ? control : false,
      collapseUnchanged: COLLAPSE
    });
    const extensions = [this._newSide(choosable), merge, this._appended('new', true)];
    return new EditorView({ parent: this.node, doc: this._options.edit.source, extensions });
  }

  private _makeSplit(choosable: boolean): MergeView {
    return new MergeView({
      parent: this.node,
      a: {
        doc: this._options.edit.expected,
        extensions: [this._look(), NEVER, this._named('old'), this._appended('old', false)]
      },
      b: {
        doc: this._options.edit.source,
        extensions: [this._newSide(choosable), this._appended('new', false)]
      },
      collapseUnchanged: COLLAPSE,
      ...(choosable ? { revertControls: 'a-to-b' as const, renderRevertControl: () => this._arrow() } : {})
    });
  }

  private _appended(own: 'old' | 'new', unified: boolean): Extension {
    const { expected, source } = this._options.edit;
    const [before, after] = [expected, source].map(text => EditorState.create({ doc: text }).doc) as [
      Text,
      Text
    ];
    const other = () => (own === 'new' ? before : (this._split?.b.state.doc ?? after));
    return appendedLines({ own, other, unified });
  }

  private _arrow(): HTMLElement {
    const arrow = h('button', 'rx-arrow', '→');
    arrow.type = 'button';
    arrow.title = 'Leave out: keep the old lines here';
    arrow.setAttribute('aria-label', 'Leave this change out');
    return arrow;
  }

  private _look(): Extension {
    const numbers = this._options.edit.hunks.length > 0 ? lineNumbers() : []; // an excerpt's lines have none
    return [numbers, jupyterTheme, this._language, EditorView.lineWrapping, hiddenText];
  }

  private _newSide(choosable: boolean): Extension {
    const { expected, source } = this._options.edit;
    return [
      choosable ? leftOutLines(expected, source) : [],
      this._look(),
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      this._named('new'),
      EditorView.updateListener.of(({ docChanged, transactions }) => {
        const redone = transactions.every(one => one.annotation(Transaction.addToHistory) === false);
        if (docChanged && !redone) {
          this._noted();
        }
      }),
      this._access.of(this._editable ? [] : NEVER)
    ];
  }

  private _named(side: 'old' | 'new'): Extension {
    const whose = this._options.edit.label || 'the cell';
    return EditorView.contentAttributes.of({ 'aria-label': `The ${side} source of ${whose}` });
  }

  /** Remembers what was edited or left out. */
  private _noted(): void {
    const { choices, edit, changed } = this._options;
    if (choices) {
      const source = this.source();
      choices.draft = source === edit.source ? null : source;
      changed();
    }
  }

  private _unmount(): void {
    this._split?.destroy();
    this._editor?.destroy();
    this._split = this._editor = null;
    this.node.replaceChildren();
  }

  private readonly _access = new Compartment();
  private _editor: EditorView | null = null;
  private _split: MergeView | null = null;
  private _layout: Layout = 'unified';
  private _editable = false;
}

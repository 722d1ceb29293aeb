/** A diff drawn from the hunks that Python made, without any dependency; edits happen in a text area. */

import type { DiffPane, Extent, Layout, PaneOptions } from '../panel/diffpane';
import { h } from '../panel/dom';
import { placed } from '../panel/hidden';
import { foldedRows, plain, splitRows, unifiedRows } from '../panel/rows';
import type { Hunk } from '../state';

export class HunkPane implements DiffPane {
  readonly node: HTMLElement;

  constructor(
    parent: HTMLElement,
    private _options: PaneOptions
  ) {
    this._layout = _options.layout;
    this._area.spellcheck = false;
    this._area.setAttribute('aria-label', `The new source of ${_options.edit.label || 'the cell'}`);
    this._area.addEventListener('input', () => this._drafted());
    this._hidden.setAttribute('role', 'note');
    this.node = h('div', 'rx-pane', this._diff, this._area, this._hidden);
    parent.append(this.node);
    this._draw();
  }

  source(): string {
    const { edit, choices } = this._options;
    if (choices?.draft != null) {
      return choices.draft;
    }
    return choices?.leftOut.size ? this._chosen(choices.leftOut) : edit.source;
  }

  changes(): Extent[] {
    const changed = this._options.edit.hunks.filter(hunk => hunk.changed);
    return [...this._diff.querySelectorAll('.rx-hunk')].flatMap((box, index) => {
      const hunk = changed[index];
      const { top, bottom, height } = box.getBoundingClientRect();
      const to = hunk && Math.max(hunk.new_start, hunk.new_start + hunk.new.length - 1);
      if (!hunk || to === undefined || height <= 0) {
        return [];
      }
      const letters = hunk.new.length === 1 ? box.querySelector('.rx-new .rx-changed') : null;
      const mark = letters?.getBoundingClientRect().top ?? null;
      return [{ top, bottom, from: hunk.new_start, to, mark }];
    });
  }

  setLayout(layout: Layout): void {
    this._layout = layout;
    this._draw();
  }

  setEditable(editable: boolean): void {
    this._editable = editable;
    this._draw();
    if (editable && this.node.isConnected) {
      this._area.focus();
    }
  }

  reset(): void {
    const { choices, changed } = this._options;
    choices?.leftOut.clear();
    if (choices) {
      choices.draft = null;
    }
    this._draw();
    changed();
  }

  dispose(): void {
    this.node.remove();
  }

  /** The new source without the hunks that are left out. */
  private _chosen(leftOut: ReadonlySet<number>): string {
    const lines = this._options.edit.hunks.flatMap((hunk, index) =>
      leftOut.has(index) ? hunk.old : hunk.new
    );
    return lines.map(plain).join('\n');
  }

  private _draw(): void {
    this._area.hidden = !this._editable;
    this._diff.hidden = this._editable;
    this._tellHidden();
    if (this._editable) {
      this._area.value = this.source();
      this._area.rows = Math.min(24, this._area.value.split('\n').length + 1);
      return;
    }
    const { hunks } = this._options.edit;
    const many = hunks.filter(hunk => hunk.changed).length > 1;
    const drawn = hunks.map((hunk, index) =>
      hunk.changed
        ? this._change(hunk, index, many && this._options.choices !== null)
        : h('div', 'rx-equal', ...this._equal(hunk, index))
    );
    this._diff.classList.toggle('rx-split', this._layout === 'split');
    this._diff.replaceChildren(...drawn);
  }

  private _equal(hunk: Hunk, index: number): HTMLElement[] {
    const last = this._options.edit.hunks.length - 1;
    return foldedRows(hunk, this._layout === 'split', index === 0, index === last);
  }

  private _change(hunk: Hunk, index: number, choosable: boolean): HTMLElement {
    const rows = this._layout === 'split' ? splitRows(hunk) : unifiedRows(hunk);
    const box = h('div', 'rx-hunk', ...rows);
    if (choosable) {
      box.prepend(this._choice(index, box));
    }
    return box;
  }

  /** The check box that takes a hunk or leaves it out. */
  private _choice(index: number, box: HTMLElement): HTMLElement {
    const { choices, changed } = this._options;
    const check = h('input');
    check.type = 'checkbox';
    check.checked = !choices?.leftOut.has(index);
    box.classList.toggle('rx-left-out', !check.checked);
    check.addEventListener('change', () => {
      if (check.checked) {
        choices?.leftOut.delete(index);
      } else {
        choices?.leftOut.add(index);
      }
      box.classList.toggle('rx-left-out', !check.checked);
      changed();
    });
    return h('label', 'rx-choice', check, 'take this change');
  }

  private _drafted(): void {
    const { choices, changed } = this._options;
    if (choices) {
      choices.draft = this._area.value;
      changed();
    }
    this._tellHidden();
  }

  /** A text area can't mark characters as the diff does: a line under it says where they are. */
  private _tellHidden(): void {
    const told = this._editable ? placed(this.source()) : [];
    this._hidden.replaceChildren(...told);
    this._hidden.hidden = !told.length;
  }

  private readonly _diff = h('div', 'rx-diff');
  private readonly _area = h('textarea', 'rx-area');
  private readonly _hidden = h('div', 'rx-hidden-places');
  private _layout: Layout;
  private _editable = false;
}

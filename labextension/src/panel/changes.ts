/** The diffs of the shown fix: one for each cell that it changes, the failing one last. */

import type { FixView } from '../state';
import { Beyond } from './beyond';
import type { Choices, FixChoices } from './choices';
import type { DiffPane, Layout } from './diffpane';
import { h, setText } from './dom';
import { firstRuns } from './firstruns';
import type { Host } from './host';

const STAYS = 'stays as it is.';
const THEN = 'Then this cell runs again, as it is.';
const RUNS_AGAIN = "The cell's text stays the same; it is run again.";

export class Changes {
  readonly node = h('details', 'rx-changes');

  constructor(
    private _host: Host,
    private _choices: Choices,
    private _changed: () => void
  ) {
    this.node.append(this._summary, this._body);
    this.node.addEventListener('toggle', () => {
      if (this.node.open && this._fix && this._panes.length === 0) {
        this._drawPanes(this._fix, null);
      }
    });
  }

  get layout(): Layout {
    return this._choices.layout ?? this._host.layout();
  }

  /** Whether there is a change, which can be edited. */
  get editable(): boolean {
    return this._panes.some(pane => pane !== null);
  }

  /** Whether old and new can be shown another way. */
  get turnable(): boolean {
    return this.editable && (this._host.editsInDiff || !this._editing);
  }

  /** Whether what would be applied is not what was proposed. */
  get edited(): boolean {
    return (
      this._fix !== null && this.sources().some((source, index) => source !== this._fix?.edits[index]?.source)
    );
  }

  /** Draws it. `open`: it can be decided on; `seen`: it is unfolded all the same. */
  update(fix: FixView | null, open: boolean, seen: boolean): void {
    const drawn = fix ? JSON.stringify([fix.id, open, seen, fix.edits, fix.first]) : '';
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      this._draw(fix, open, seen);
    }
    this.node.hidden = fix === null;
  }

  /** Whether of what changes something can be seen. */
  get inSight(): boolean {
    const drawn = this.node.open && this.node.checkVisibility() ? this._beyond : [];
    return drawn.length === 0 || drawn.some(each => each.inSight);
  }

  /** Scrolls to the first change. */
  lead(): void {
    this._beyond[0]?.lead();
  }

  /** The new source of each edit, as it would be applied. */
  sources(): string[] {
    return this._fix?.edits.map((edit, index) => this._panes[index]?.source() ?? edit.source) ?? [];
  }

  setLayout(layout: Layout): void {
    this._choices.layout = layout;
    for (const pane of this._panes) {
      pane?.setLayout(layout);
    }
    this._look();
  }

  edit(): void {
    this._setEditing(true);
  }

  discard(): void {
    for (const pane of this._panes) {
      pane?.reset();
    }
    this._setEditing(false);
  }

  dispose(): void {
    for (const beyond of this._beyond.splice(0)) {
      beyond.dispose();
    }
    for (const pane of this._panes) {
      pane?.dispose();
    }
    this._panes = [];
    this._body.replaceChildren();
  }

  private _draw(fix: FixView | null, open: boolean, seen: boolean): void {
    this.dispose();
    this._fix = fix;
    const now = fix?.first.length ? 'What runs' : 'The change';
    setText(this._summary, open ? now : 'Diff');
    this.node.classList.toggle('rx-settled', !open);
    this.node.open = open || seen;
    // A record is rarely opened again: its diffs wait until it is.
    if (fix && this.node.open) {
      this._drawPanes(fix, open ? this._choices.of(fix) : null);
    }
  }

  private _drawPanes(fix: FixView, choices: FixChoices | null): void {
    const several = fix.edits.length > 1;
    const stays = fix.first.length > 0 ? THEN : RUNS_AGAIN;
    this._body.append(...firstRuns(fix.first));
    this._panes = fix.edits.map((edit, index) => {
      if (edit.source === edit.expected) {
        this._body.append(h('div', 'rx-label', several ? `${edit.label || 'This cell'} ${STAYS}` : stays));
        return null;
      }
      if (several) {
        this._body.append(h('div', 'rx-label', edit.label || 'this cell'));
      }
      const options = {
        edit,
        layout: this.layout,
        choices: choices?.edits[index] ?? null,
        changed: this._changed
      };
      const pane = this._host.makePane(this._body, options);
      const beyond = new Beyond(pane);
      this._body.append(beyond.node);
      this._beyond.push(beyond);
      return pane;
    });
    if (choices?.editing) {
      this._setEditing(true);
    }
  }

  private get _editing(): boolean {
    return this._fix !== null && this._choices.of(this._fix).editing;
  }

  private _setEditing(editing: boolean): void {
    if (this._fix) {
      this._choices.of(this._fix).editing = editing;
      for (const pane of this._panes) {
        pane?.setEditable(editing);
      }
      this._look();
      this._changed();
    }
  }

  /** Looks again at what is out of sight. */
  private _look(): void {
    for (const beyond of this._beyond) {
      beyond.update();
    }
  }

  private readonly _summary = h('summary', 'rx-summary');
  private readonly _body = h('div', 'rx-body');
  /** One for each edit; null where the cell stays as it is. */
  private _panes: (DiffPane | null)[] = [];
  private readonly _beyond: Beyond[] = [];
  private _fix: FixView | null = null;
  private _drawn = '';
}

/** What the user did to a panel besides deciding. It survives a drawing anew. */

import type { FixView } from '../state';
import type { Layout } from './diffpane';

export interface EditChoices {
  /** The indices of the changed hunks that are left out. */
  leftOut: Set<number>;
  /** The cell's source where it is neither the proposal nor made of its hunks. */
  draft: string | null;
}

export interface FixChoices {
  /** One for each edit. */
  edits: EditChoices[];
  editing: boolean;
  /** "I have read it" is ticked. */
  read: boolean;
  /** What was seen when it was tried is unfolded. */
  looking: boolean;
}

export class Choices {
  layout: Layout | null = null;
  hint = '';
  /** The user has pointed at the panel: from now on another fix does not take the place of the shown one. */
  touched = false;
  /** The user has said which of several fixes is meant. */
  picked = false;
  /** A quiet panel was opened. */
  unfolded = false;
  /** The user has asked the model: the next new fix is what they wait for. */
  awaiting = false;

  /** The fix to show, or null when there is none. */
  shown(fixes: readonly FixView[]): FixView | null {
    return fixes.find(fix => fix.id === this._fix) ?? fixes[0] ?? null;
  }

  show(fix: FixView): void {
    this._fix = fix.id;
  }

  pick(fix: FixView): void {
    this.show(fix);
    this.picked = true;
  }

  /** Takes note of newly arrived fixes: which one is shown from now on. */
  follow(before: readonly FixView[], after: readonly FixView[]): void {
    const known = new Set(before.map(fix => fix.id));
    const fresh = after.find(fix => !known.has(fix.id));
    if (this.awaiting && fresh) {
      this.awaiting = false;
      this.pick(fresh);
    } else if (!this.touched || !after.some(fix => fix.id === this._fix)) {
      this._fix = after[0]?.id ?? null;
      this.picked = false;
    }
  }

  of(fix: FixView): FixChoices {
    let found = this._fixes.get(fix.id);
    if (!found) {
      const edits = fix.edits.map(() => ({ leftOut: new Set<number>(), draft: null }));
      found = { edits, editing: false, read: false, looking: false };
      this._fixes.set(fix.id, found);
    }
    return found;
  }

  private _fix: string | null = null;
  private readonly _fixes = new Map<string, FixChoices>();
}

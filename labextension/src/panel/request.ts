/** How the panel asks its page to rewrite cells: an event, so that neither needs to know the other. */

import type { ApplyStatus } from '../messages';

export const APPLY_EVENT = 'reflex:apply';

export interface RequestedEdit {
  /** The cell's id; null: the cell that the panel is in. */
  cell: string | null;
  expected: string;
  source: string;
}

export interface ApplyRequest {
  repair: string;
  fix: string;
  /** The kernel's session that made the fix. */
  session: string;
  /** The failing cell's comes last; the others are rewritten and not run. */
  edits: RequestedEdit[];
  run: boolean;
  /** All of it is to run, even where it could be resumed. */
  whole: boolean;
  /** Called when the cells are rewritten or it is clear that they will not be; again if they then could not be run. */
  done: (status: ApplyStatus) => void;
}

/** Asks the page; false: nobody there applies fixes. */
export function requestApply(from: HTMLElement, detail: ApplyRequest): boolean {
  const event = new CustomEvent(APPLY_EVENT, { bubbles: true, composed: true, cancelable: true, detail });
  return !from.dispatchEvent(event);
}

/** What the panel needs of the place that it is shown in. */

import type { Ask, Cancel, Decide, Try } from '../messages';
import type { FixView } from '../state';
import type { Layout, MakePane } from './diffpane';
import type { Refusal } from './repair';

/**
 * Whether the kernel that made a repair can still be talked to.
 * "restarted": it is another session now; "absent": no extension answers there; "unknown": not found out yet.
 */
export type KernelBond = 'same' | 'restarted' | 'absent' | 'unknown';

/** Why a cell of a fix can't be rewritten just now; `cell` names it where it is not the failing one. */
export interface Obstacle {
  why: Refusal;
  cell: string;
}

export interface Host {
  makePane: MakePane;
  /** The layout until the user chooses one. */
  layout(): Layout;
  /** Says something to the kernel; false: nobody listens. */
  send(message: Decide | Try | Ask | Cancel): boolean;
  bond(session: string): KernelBond;
  /** What stands in the way of applying a fix just now, as far as the page can see. */
  obstacle(fix: FixView): Obstacle | null;
  /** Whether the diff stays in view while it is edited. */
  editsInDiff: boolean;
  /** Whether cells can't be rewritten here: accepting runs the fix, and its source is offered to be copied. */
  offersCopy: boolean;
  /** The shortcut of the accept command in words; empty where there is none. */
  shortcuts: { accept: string; reject: string };
}

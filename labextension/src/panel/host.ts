/** What the panel needs of the place that it is shown in. */

import type { Ask, Cancel, Decide } from '../messages';
import type { FixView } from '../state';
import type { Layout, MakePane } from './diffpane';
import type { Refusal } from './repair';

/**
 * Whether the kernel that made a repair can still be talked to.
 * "restarted": it is another session now; "absent": no extension answers there; "unknown": not found out yet.
 */
export type KernelBond = 'same' | 'restarted' | 'absent' | 'unknown';

export interface Host {
  makePane: MakePane;
  /** The layout until the user chooses one. */
  layout(): Layout;
  /** Says something to the kernel; false: nobody listens. */
  send(message: Decide | Ask | Cancel): boolean;
  bond(session: string): KernelBond;
  /** What stands in the way of applying a fix just now, as far as the page can see. */
  obstacle(fix: FixView): Refusal | null;
  /** Whether the diff stays in view while it is edited. */
  editsInDiff: boolean;
  /** Whether cells can't be rewritten here: accepting runs the fix, and its source is offered to be copied. */
  offersCopy: boolean;
  /** The shortcut of the accept command in words; empty where there is none. */
  shortcuts: { accept: string; reject: string };
}

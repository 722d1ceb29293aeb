/** What the panel needs of the place that it is shown in. */

import type {
  Accept,
  Ask,
  Cancel,
  CheckModel,
  Choose,
  EndCheck,
  Reject,
  Resume,
  Try,
  TryText,
  Undo,
  UseModel,
  WantKeyState,
  WantModels
} from '../frompage';
import type { CellRef, FixView, StepView } from '../state';
import type { Layout, MakePane } from './diffpane';
import type { Refusal } from './repair';

/**
 * What a panel is. "live": the kernel has said that it knows this repair, and what is drawn is what it said.
 * All others are pictures, which come from a file that anybody may have written. "asking": the kernel has not answered
 * yet; "unknown": it does not know this repair; "elsewhere": it is about another cell; "copied": about the one that this
 * cell is a copy of; "outside": it is in no notebook; "absent": no extension answers there; "record": there is nothing to
 * decide.
 */
export type Standing =
  | 'live'
  | 'asking'
  | 'unknown'
  | 'elsewhere'
  | 'copied'
  | 'outside'
  | 'absent'
  | 'record';

/** Why a cell of a fix can't be rewritten just now; `cell` names it where it is not the failing one. */
export interface Obstacle {
  why: Refusal;
  cell: string;
}

/** What the form for choosing a model says to the kernel. */
export type FromModelForm = WantModels | WantKeyState | CheckModel | EndCheck | UseModel;

export interface Host {
  makePane: MakePane;
  /** The layout until the user chooses one. */
  layout(): Layout;
  /** Says something to the kernel; false: nobody listens. */
  send(message: Reject | Try | TryText | Choose | Ask | Cancel | FromModelForm): boolean;
  /** Asks the kernel to put a fix into effect, or to take that back; false: nobody listens. The host adds its name as the client. */
  accept(message: Accept | Resume | Undo): boolean;
  /** The failed cell's present text; null: it is not seen from here. */
  source(): string | null;
  standing(): Standing;
  /** What stands in the way of applying a fix just now, as far as the page can see. */
  obstacle(fix: FixView): Obstacle | null;
  /** Takes the user to a cell; null: only a page that knows the notebook's cells can. */
  goTo: ((step: StepView) => void) | null;
  /** Runs cells one after the other, up to the first that fails; null: nothing can. */
  runAgain: ((cells: CellRef[]) => void) | null;
  /** Gives the cell that the panel is below the keyboard; false: none is in reach. */
  toCell(): boolean;
  /** Whether the diff stays in view while it is edited. */
  editsInDiff: boolean;
  /** Whether cells can't be rewritten here: accepting runs the fix, and its source is offered to be copied. */
  offersCopy: boolean;
  /** The shortcut of the accept command in words; empty where there is none. */
  shortcuts: { accept: string; reject: string };
}

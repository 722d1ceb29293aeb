/**
 * What the page says to the kernel, over the comm and over the widget.
 * The other side is `reflex_ipython/ipython/from_page.py`; a test holds the two together.
 */

import type { FixView, PanelState } from './state';

export type ApplyStatus =
  | 'applied'
  | 'source-changed'
  | 'cell-not-found'
  | 'read-only'
  | 'kernel-mismatch'
  | 'first-failed'
  | 'run-failed';

/** A page is there, with the labextension in it. */
export interface Hello {
  type: 'hello';
  client: string;
  version: string;
}

/** A saved panel is shown: does this kernel know its repair? `shown`: all that the panel says. */
export interface Recall {
  type: 'recall';
  request: string;
  repair: string;
  shown: PanelState;
}

/**
 * The user accepted a fix. `shown`: the fix as the panel drew it. `sources`: the new texts of its cells, in its order,
 * where the user has changed them; empty: as the kernel has them. `whole`: all of it is to run, even where it could be
 * resumed. `read`: the user has ticked that it was read. `client`: the page that can rewrite the cells; empty where
 * none can.
 */
export interface Accept {
  type: 'accept';
  session: string;
  repair: string;
  request: string;
  client: string;
  shown: FixView;
  sources: string[];
  run: boolean;
  whole: boolean;
  read: boolean;
  at_once: boolean;
}

/** The user has changed the text of a cell that failed: could a run of it go on where it failed? */
export interface Edited {
  type: 'edited';
  session: string;
  repair: string;
  source: string;
}

/**
 * The user wants the failed cell to go on with a text of their own. `source`: that text. `client`: the page that runs
 * the cell; empty where none can, then the kernel runs it in place.
 */
export interface Resume {
  type: 'resume';
  session: string;
  repair: string;
  request: string;
  client: string;
  source: string;
}

/** The user rejected all fixes of a repair. */
export interface Reject {
  type: 'reject';
  session: string;
  repair: string;
}

/** The user takes a decision back. `client`: the page that gives the cells their old texts back. */
export interface Undo {
  type: 'undo';
  session: string;
  repair: string;
  request: string;
  client: string;
}

/** The user takes back the run of the last cell. The answer is a `TookBack`. */
export interface Back {
  type: 'back';
  request: string;
}

/** Try a fix in a copy of the kernel. */
export interface Try {
  type: 'try';
  session: string;
  repair: string;
  fix: string;
}

/** Try a fix once more, in a copy of the kernel as it is now. Until that has ended, it counts as not tried. */
export interface TryAgain {
  type: 'try-again';
  session: string;
  repair: string;
  request: string;
  fix: string;
}

/** Try a fix as the user has changed it. `sources`: the new texts of its cells, in its order. */
export interface TryText {
  type: 'try-text';
  session: string;
  repair: string;
  request: string;
  fix: string;
  sources: string[];
}

/** The user says which of the names that the panel offers was meant. */
export interface Choose {
  type: 'choose';
  session: string;
  repair: string;
  name: string;
}

/** Ask the model, with the user's hint. `allow`: the host that the clicked button says may be sent to, if any. */
export interface Ask {
  type: 'ask';
  session: string;
  repair: string;
  hint: string;
  allow: string;
}

/** What would be sent, if a model were asked about this repair now? */
export interface WantContext {
  type: 'want-context';
  session: string;
  repair: string;
}

/**
 * The user wants to choose a model: what is there to choose from? Like all that follows up to `UseModel`, it may come
 * from no panel: then `repair` is empty.
 */
export interface WantModels {
  type: 'want-models';
  session: string;
  repair: string;
}

/** Where would a question go, and with which key, at this address and with this environment variable? */
export interface WantKeyState {
  type: 'want-key-state';
  session: string;
  repair: string;
  base_url: string;
  key_variable: string;
}

/** Ask a model one short question, with nothing of the notebook in it, to see whether it answers. */
export interface CheckModel {
  type: 'check-model';
  session: string;
  repair: string;
  request: string;
  model: string;
  base_url: string;
  key_variable: string;
}

/** Nobody waits for the answer to a `CheckModel` any more. */
export interface EndCheck {
  type: 'end-check';
  session: string;
  repair: string;
  request: string;
}

/** The user has chosen a model. */
export interface UseModel {
  type: 'use-model';
  session: string;
  repair: string;
  request: string;
  model: string;
  base_url: string;
  key_variable: string;
}

/** No model is to be asked any more. */
export interface NoModel {
  type: 'no-model';
}

/** Stop looking for a fix. */
export interface Cancel {
  type: 'cancel';
  session: string;
  repair: string;
}

/** Switch the extension on or off. */
export interface Enable {
  type: 'enable';
  enabled: boolean;
}

/** When fixes are to be tried. */
export interface SetTrial {
  type: 'set-trial';
  trial: 'automatic' | 'on click' | 'off';
}

/** How an `Apply` went. */
export interface Applied {
  type: 'applied';
  request: string;
  status: ApplyStatus;
}

/** A code cell of the notebook. `number`: its place among all cells, from 1. */
export interface NotebookCell {
  id: string;
  source: string;
  number: number;
}

/** The answer to `WantCells`: the notebook's code cells, in its order. */
export interface Cells {
  type: 'cells';
  request: string;
  cells: NotebookCell[];
}

export type FromPage =
  | Hello
  | Recall
  | Accept
  | Edited
  | Resume
  | Reject
  | Undo
  | Back
  | Try
  | TryAgain
  | TryText
  | Choose
  | Ask
  | WantContext
  | WantModels
  | WantKeyState
  | CheckModel
  | EndCheck
  | UseModel
  | NoModel
  | Cancel
  | Enable
  | SetTrial
  | Applied
  | Cells;

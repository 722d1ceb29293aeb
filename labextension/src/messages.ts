/**
 * What the kernel and the page say to each other, over the comm and over the widget.
 * The other side is `reflex_ipython/ipython/messages.py`; a test holds the two together.
 */

import type { PanelState } from './state';

export const COMM_TARGET = 'reflex_ipython';

export type ApplyStatus =
  | 'applied'
  | 'source-changed'
  | 'cell-not-found'
  | 'read-only'
  | 'kernel-mismatch'
  | 'run-failed';

// ------------------------------------------------------------------------------------------ from the page

/** A page is there, with the labextension in it. */
export interface Hello {
  type: 'hello';
  client: string;
  version: string;
}

/**
 * The user accepted or rejected. `sources`: the new texts of the fix's cells, in its order. `whole`: all of it is to
 * run, even where it could be resumed. `applied`: the page itself rewrites (and runs) the cells; else the kernel must.
 */
export interface Decide {
  type: 'decide';
  repair: string;
  fix: string;
  decision: 'accepted' | 'rejected';
  sources: string[];
  run: boolean;
  whole: boolean;
  applied: boolean;
}

/** The page did not rewrite the cell after all; the decision is taken back. */
export interface Refused {
  type: 'refused';
  repair: string;
  status: ApplyStatus;
}

/** Try a fix in a copy of the kernel. */
export interface Try {
  type: 'try';
  repair: string;
  fix: string;
}

/** Ask the model, with the user's hint. */
export interface Ask {
  type: 'ask';
  repair: string;
  hint: string;
}

/** Stop looking for a fix. */
export interface Cancel {
  type: 'cancel';
  repair: string;
}

/** Switch the extension on or off. */
export interface Enable {
  type: 'enable';
  enabled: boolean;
}

/** How an `Apply` went. */
export interface Applied {
  type: 'applied';
  request: string;
  status: ApplyStatus;
}

export type FromPage = Hello | Decide | Refused | Try | Ask | Cancel | Enable | Applied;

// ------------------------------------------------------------------------------------------ from the kernel

/** The answer to `Hello`, and sent whenever one of these changes. */
export interface Welcome {
  type: 'welcome';
  session: string;
  version: string;
  enabled: boolean;
}

/** A panel's new state. */
export interface State {
  type: 'state';
  state: PanelState;
}

/** A piece of what the model writes for a repair. `start`: it is the first piece of a new answer. */
export interface Text {
  type: 'text';
  repair: string;
  text: string;
  start: boolean;
}

/** A cell's new source, and the one that it must still have. */
export interface SourceEdit {
  cell: string;
  expected: string;
  source: string;
}

/**
 * Rewrite cells, all or none, and run the last one if asked. Only the page named `client` does it; the others ignore it.
 */
export interface Apply {
  type: 'apply';
  client: string;
  request: string;
  edits: SourceEdit[];
  run: boolean;
}

export type FromKernel = Welcome | State | Text | Apply;

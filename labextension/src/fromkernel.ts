/**
 * What the kernel says to the page, over the comm and over the widget.
 * The other side is `reflex_ipython/ipython/from_kernel.py`; a test holds the two together.
 */

import type { Notice, PanelState } from './state';

/**
 * The answer to `Hello`, and sent whenever one of these changes. `trial`: when fixes are tried. `model`: the chosen one;
 * empty: none is. `server`: where it is, without what may be secret in its address; empty: at the usual one.
 */
export interface Welcome {
  type: 'welcome';
  session: string;
  version: string;
  enabled: boolean;
  trial: 'automatic' | 'on click' | 'off';
  model: string;
  server: string;
}

/** A panel's new state. A page believes it of the kernel that sends it, and nobody else. */
export interface State {
  type: 'state';
  state: PanelState;
}

/** A piece of what the model writes for a repair. `start`: it is the first piece of a new answer. */
export interface ModelText {
  type: 'text';
  repair: string;
  text: string;
  start: boolean;
}

/** The answer to a `Recall` where the kernel does not know that repair, or not with that content. */
export interface UnknownRepair {
  type: 'unknown';
  request: string;
  repair: string;
}

/** An `Accept` comes to nothing, for a reason in words. */
export interface Declined {
  type: 'declined';
  request: string;
  repair: string;
  reason: string;
}

/**
 * The answer to an `Edited` with that source. `label` says where a run would go on; empty: it can't. `words`: what
 * running it would repeat, or why it can't.
 */
export interface Resumable {
  type: 'resumable';
  repair: string;
  source: string;
  label: string;
  words: string;
}

/**
 * The answer to a `TryText`; it comes twice: when the text begins to be tried (`trying`), and with what came of it.
 * `verdict`: null where it is not tried; where it could not be tried, it says why.
 */
export interface TextTried {
  type: 'text-tried';
  repair: string;
  request: string;
  trying: boolean;
  verdict: Notice | null;
}

/** A model server that runs on the kernel's machine. */
export interface ModelServer {
  name: string;
  base_url: string;
  models: string[];
}

/** A provider whose key is in the kernel's environment. */
export interface ProviderWithKey {
  label: string;
  base_url: string;
  key_variable: string;
}

/**
 * The answer to a `WantModels`: what is set now, the servers that were found and the providers whose key is there. It
 * comes twice: at once, `searching`, and when the search for servers has ended.
 */
export interface Models {
  type: 'models';
  repair: string;
  searching: boolean;
  servers: ModelServer[];
  providers: ProviderWithKey[];
  model: string;
  base_url: string;
  key_variable: string;
}

/** The answer to a `WantKeyState`, in words. `missing`: a key may be needed, and there is none. */
export interface KeyState {
  type: 'key-state';
  repair: string;
  base_url: string;
  key_variable: string;
  missing: boolean;
  words: string;
}

/** What came of a `CheckModel` or a `UseModel`, in words. `chosen`: the model is asked from now on. */
export interface ModelAnswer {
  type: 'model-answer';
  repair: string;
  request: string;
  good: boolean;
  chosen: boolean;
  words: string;
}

/** The answer to a `WantContext`: every byte that would be sent and what was withheld, or why there is none. */
export interface OutgoingContext {
  type: 'context';
  repair: string;
  text: string;
}

/** A cell's new source, and the one that it must still have. */
export interface SourceEdit {
  cell: string;
  expected: string;
  source: string;
}

/** A cell that runs as it is, and the source that it must still have. */
export interface RunFirst {
  cell: string;
  expected: string;
}

/** A cell lacked what another one may give: the page named `client` is asked for the cells of its notebook. */
export interface WantCells {
  type: 'want-cells';
  client: string;
  request: string;
}

/**
 * Rewrite cells, all or none: the answer to an `Accept`, or to a command. Then those of `first` run, in that order,
 * until one fails; then the one that `run` names; it may be empty.
 * Only the page named `client` does it; the others ignore it.
 */
export interface Apply {
  type: 'apply';
  client: string;
  request: string;
  edits: SourceEdit[];
  first: RunFirst[];
  run: string;
}

/**
 * The run of a cell was taken back, or could not be. `words` say which, and what came of it. `request`: that of a
 * `Back`; empty: a command did it. `cell`: which, whose outputs are of a state that is no more. `stale`: those that have
 * used what it had made, taken back before it, in the order in which they ran.
 */
export interface TookBack {
  type: 'took-back';
  request: string;
  cell: string;
  good: boolean;
  words: string;
  stale: string[];
}

export type FromKernel =
  | Welcome
  | State
  | ModelText
  | UnknownRepair
  | Declined
  | Resumable
  | TextTried
  | Models
  | KeyState
  | ModelAnswer
  | OutgoingContext
  | WantCells
  | Apply
  | TookBack;

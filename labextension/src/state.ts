/**
 * The panel as one JSON document, made in Python by `reflex_ipython.present.panel`.
 * A test holds the two together, so names and fields here follow Python's.
 */

/** The repair in a cell's output. */
export const MIME = 'application/vnd.reflex-ipython.repair+json';

export type Tone = 'plain' | 'good' | 'warning' | 'bad';
export type Phase = 'searching' | 'ready' | 'nothing' | 'accepted' | 'rejected' | 'superseded';

/** Which cell is meant. */
export interface CellRef {
  id: string | null;
  execution_count: number | null;
}

/** A run of characters of one look. */
export interface Span {
  text: string;
  token: string;
  changed: boolean;
}

export type Line = Span[];

/** A run of lines that are equal on both sides, or that differ. */
export interface Hunk {
  changed: boolean;
  old_start: number;
  new_start: number;
  old: Line[];
  new: Line[];
}

/** A line of text with its colour. */
export interface Notice {
  text: string;
  tone: Tone;
}

/**
 * A change of one cell, or of a file, which the kernel writes. Without hunks it is a saved one, whose texts are excerpts.
 */
export interface EditView {
  cell: CellRef;
  label: string;
  expected: string;
  source: string;
  hunks: Hunk[];
  file: boolean;
}

/**
 * A cell that runs before the failing one. `name`: "cell 3"; `source`: what runs; `why`: "was not run in this session";
 * `expected`: the text that it must have, which is another one where the fix rewrites it.
 */
export interface RunFirstView {
  cell: CellRef;
  name: string;
  source: string;
  why: string;
  expected: string;
}

/** A way to run an accepted cell that repeats something. `whole`: all of it, though it could be resumed. */
export interface RunOptionView {
  whole: boolean;
  label: string;
  repeats: string;
}

/** What a trial put out and changed. */
export interface Preview {
  summary: string;
  output: string;
  image: string;
  changes: string[];
}

/**
 * One proposal as it is drawn. `refused`: why it can't be accepted; empty: it can be. `gives`: what it came to when it
 * ran, in a line; empty if it did not. `installs`: the requirements that are installed before the cell runs. `first`: the
 * cells that run before the failing one, in order.
 */
export interface FixView {
  id: string;
  origin: string;
  explanation: string;
  usage: string;
  edits: EditView[];
  verdict: Notice;
  findings: Notice[];
  dangerous: boolean;
  run_options: RunOptionView[];
  triable: boolean;
  preview: Preview | null;
  refused: string;
  gives: string;
  installs: string[];
  first: RunFirstView[];
}

/** The fix that was accepted. `sources`: the texts that its cells got, in its order. */
export interface AcceptedView {
  fix: string;
  sources: string[];
}

/** A cell to go to; without an id the one that the panel is below. `edit`: the keyboard goes into its text. */
export interface StepView {
  label: string;
  title: string;
  cell: CellRef;
  line: number | null;
  edit: boolean;
}

/**
 * The whole panel. `question`: asked where several things may be meant; empty: there is nothing to choose. `names`: what
 * is there, of which one may be meant; `steps`: cells to go to. Both only where nothing has passed. `chooses_model`: a
 * model can be chosen here, as nobody can be asked. `consent`: the host that the user has to allow before anything is
 * sent to it; empty: none. `attempts`: where code was asked for in words, what came of each attempt. `running`: the cell
 * still runs, and accepting changes it meanwhile. `stale`: the cells that have used values which an accepted fix has
 * replaced, in the order in which they can run again.
 */
export interface PanelState {
  repair: string;
  session: string;
  cell: CellRef;
  error: string;
  phase: Phase;
  notice: Notice | null;
  working: string;
  accepted: AcceptedView | null;
  fixes: FixView[];
  model: string;
  model_terms: string;
  quiet: boolean;
  question: string;
  names: string[];
  steps: StepView[];
  chooses_model: boolean;
  consent: string;
  attempts: Notice[];
  running: boolean;
  stale: CellRef[];
}

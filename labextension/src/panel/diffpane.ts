/** What shows one edit as a diff. There are two: Lab's own CodeMirror, and a plain one for everywhere else. */

import type { EditView } from '../state';
import type { EditChoices } from './choices';

export type Layout = 'unified' | 'split';

/** Where a change is drawn, as the window's pixels, and its lines on the new side. */
export interface Extent {
  top: number;
  bottom: number;
  from: number;
  to: number;
  /** In a change into one line, which may be a long one: where its first new letters are. Else null. */
  mark: number | null;
}

export interface DiffPane {
  /** What is scrolled where the diff is longer than the panel. */
  readonly node: HTMLElement;
  /** Where the changes are, from top to bottom. */
  changes(): Extent[];
  /** What the edit's new source is now: hunks left out, edits included. */
  source(): string;
  setLayout(layout: Layout): void;
  /** Makes the new side editable and puts the cursor there, or ends that. */
  setEditable(editable: boolean): void;
  /** Takes back all hunks left out and all edits. */
  reset(): void;
  dispose(): void;
}

export interface PaneOptions {
  edit: EditView;
  layout: Layout;
  /** Where hunks left out and edits are remembered; null: they cannot be chosen here. */
  choices: EditChoices | null;
  /** Called when what `source()` gives may have changed. */
  changed: () => void;
}

export type MakePane = (parent: HTMLElement, options: PaneOptions) => DiffPane;

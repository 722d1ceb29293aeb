/** Finding, comparing, rewriting and running the notebook's cells. */

import type { ISessionContextDialogs } from '@jupyterlab/apputils';
import type { Cell, CodeCell } from '@jupyterlab/cells';
import {
  type INotebookTracker,
  type Notebook,
  NotebookActions,
  type NotebookPanel
} from '@jupyterlab/notebook';
import type { SourceEdit } from '../fromkernel';
import type { ApplyStatus } from '../frompage';
import { difference } from './difference';

type Trouble = Exclude<ApplyStatus, 'applied'>;
/** `cell`: its id; null: the cell that the panel is in. */
export type Wanted = Pick<SourceEdit, 'expected'> & { cell: string | null };

/** The cell with that id; without an id (nbclient gives none) the cell that `node` is in. */
export function findCell(panel: NotebookPanel, id: string | null, node: Node | null): Cell | null {
  const found = panel.content.widgets.find(cell =>
    id === null ? cell.node.contains(node) : cell.model.id === id
  );
  return found ?? null;
}

function isCode(cell: Cell): cell is CodeCell {
  return cell.model.type === 'code';
}

/** The cell that `node` is in, even where its output is collapsed, and so not in the page. */
export function cellAround(notebook: Notebook, node: Node): Cell | null {
  const holds = (cell: Cell) => isCode(cell) && cell.outputArea?.node.contains(node);
  return notebook.widgets.find(cell => cell.node.contains(node) || holds(cell)) ?? null;
}

/** Shows the output of a cell if it is collapsed. */
export function unfoldOutput(cell: Cell): void {
  if (isCode(cell)) {
    cell.outputHidden = false;
  }
}

/** The notebook that `node` is in; else one that has the cell, as for an output that is shown in a tab of its own. */
export function findNotebook(
  tracker: INotebookTracker,
  node: Node,
  cell: string | null
): NotebookPanel | null {
  const around = tracker.find(panel => panel.node.contains(node));
  return around ?? (cell ? (tracker.find(panel => findCell(panel, cell, null) !== null) ?? null) : null);
}

/** What stands in the way of one edit. */
export function obstacleOf(panel: NotebookPanel, edit: Wanted, node: Node | null): Trouble | null {
  const cell = findCell(panel, edit.cell, node);
  if (!cell) {
    return 'cell-not-found';
  }
  if (panel.context.model.readOnly || cell.model.getMetadata('editable') === false) {
    return 'read-only';
  }
  return cell.model.sharedModel.getSource() === edit.expected ? null : 'source-changed';
}

/** Whether the cell has the new text already: the user has typed it, or undone what would be undone. */
export function hasText(panel: NotebookPanel, { cell, source }: SourceEdit): boolean {
  return findCell(panel, cell, null)?.model.sharedModel.getSource() === source;
}

/**
 * Gives the cell a new source in one step that can be undone. Only what differs is written: the cursor stays where it
 * is, lines that stay are not drawn anew, and the cell can be sent some milliseconds sooner.
 */
export function rewrite(cell: Cell, source: string): void {
  const { start, end, text } = difference(cell.model.sharedModel.getSource(), source);
  // A change within half a second of another would be undone together with it. Not part of every shared model's interface.
  const shared: { undoManager?: { stopCapturing?: () => void } | null } = cell.model.sharedModel as object;
  shared.undoManager?.stopCapturing?.();
  cell.model.sharedModel.updateSource(start, end, text);
  shared.undoManager?.stopCapturing?.();
}

/** Gives a cell the keyboard, in command mode: it is selected, and its text is not written in. */
export function giveKeyboard(panel: NotebookPanel, cell: Cell): void {
  panel.content.activeCellIndex = panel.content.widgets.indexOf(cell);
  panel.content.mode = 'command';
  cell.node.focus({ preventScroll: true }); // `activate()` leaves it where it is if that is in the cell's output
}

/** What stands in the way of running a cell as it is: it need not be editable. */
export function obstacleOfRun(panel: NotebookPanel, cell: string | null, expected: string): Trouble | null {
  const trouble = obstacleOf(panel, { cell, expected }, null);
  if (trouble !== 'read-only') {
    return trouble;
  }
  return findCell(panel, cell, null)?.model.sharedModel.getSource() === expected ? null : 'source-changed';
}

/** Runs cells one after the other; the first that fails is the last. Returns whether all of them have run well. */
export async function runInTurn(
  panel: NotebookPanel,
  cells: Cell[],
  dialogs: ISessionContextDialogs | null
): Promise<boolean> {
  for (const cell of cells) {
    if (panel.isDisposed || cell.isDisposed || !(await run(panel, cell, dialogs))) {
      return false;
    }
  }
  return true;
}

/**
 * Runs the cell as a person would, gives whether it succeeded, and leaves the keyboard on it: the panel that had it goes
 * with the old output. `begins` is called just before the cell is sent, if it is.
 */
export async function run(
  panel: NotebookPanel,
  cell: Cell,
  dialogs: ISessionContextDialogs | null,
  begins: () => void = () => undefined
): Promise<boolean> {
  const scheduled = (_: unknown, one: { cell: Cell }) => {
    if (one.cell === cell) {
      NotebookActions.executionScheduled.disconnect(scheduled);
      begins();
    }
  };
  NotebookActions.executionScheduled.connect(scheduled);
  panel.content.activeCellIndex = panel.content.widgets.indexOf(cell);
  const running = NotebookActions.runCells(panel.content, [cell], panel.sessionContext, dialogs ?? undefined);
  panel.content.activate();
  try {
    return await running;
  } finally {
    NotebookActions.executionScheduled.disconnect(scheduled);
  }
}

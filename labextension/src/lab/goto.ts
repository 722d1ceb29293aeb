/** Taking the user to a cell of the notebook. */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { StepView } from '../state';
import { findCell } from './cells';

/** Selects the cell and brings it into view; for an edit, the cursor goes to its line. `node`: the panel that asks. */
export function goTo(panel: NotebookPanel, step: StepView, node: Node): void {
  const notebook = panel.content;
  const cell = findCell(panel, step.cell.id, node);
  if (!cell) {
    return; // it was deleted: there is nowhere to go
  }
  const index = notebook.widgets.indexOf(cell);
  notebook.deselectAll();
  notebook.activeCellIndex = index;
  if (step.line !== null && cell.editor) {
    const line = Math.max(0, Math.min(step.line, cell.editor.lineCount) - 1);
    cell.editor.setCursorPosition({ line, column: 0 });
  }
  notebook.mode = step.edit ? 'edit' : 'command';
  notebook.activate();
  void notebook.scrollToItem(index, 'smart'); // not `scrollToCell`: that puts the keyboard into the text
}

/** Showing a panel, wherever its cell is. */

import { type Notebook, NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import { room } from '../panel/sight';
import { cellAround, findCell, unfoldOutput } from './cells';
import type { OpenRepair } from './openrepairs';
import type { Panels } from './panels';
import type { RepairRenderer } from './renderer';

/** Frames in which a cell that was scrolled to has its outputs drawn. */
const FRAMES = 120;

/** Selects the panel's cell, opens what hides it, and gives the panel the keyboard: what is to be answered, if there is something. */
export async function bringIntoView(notebook: Notebook, renderer: RepairRenderer): Promise<void> {
  const cell = cellAround(notebook, renderer.node);
  if (!cell) {
    return;
  }
  NotebookActions.expandParent(cell, notebook);
  notebook.activeCellIndex = notebook.widgets.indexOf(cell);
  unfoldOutput(cell);
  if (!isOnScreen(renderer.node)) {
    await notebook.scrollToItem(notebook.activeCellIndex); // cells out of sight may be out of the page, or held beside it
  }
  renderer.node.scrollIntoView({ block: 'nearest' });
  renderer.view?.focus();
}

function isOnScreen(node: HTMLElement): boolean {
  const [top, bottom] = room(node);
  const box = node.getBoundingClientRect();
  return node.isConnected && box.height > 0 && box.bottom > top && box.top < bottom;
}

/** Takes the user to a repair: its panel gets the keyboard, or its cell where there is none. */
export async function goToRepair(panel: NotebookPanel, panels: Panels, open: OpenRepair): Promise<void> {
  const renderer = await drawnPanel(panel, panels, open.model.state.repair, open.cell);
  if (renderer) {
    await bringIntoView(panel.content, renderer);
  } else {
    panel.content.activate();
  }
}

/** Selects the cell of a repair and gives its panel, once that is drawn: outputs that were never in sight are not; null: it has none. */
export async function drawnPanel(
  panel: NotebookPanel,
  panels: Panels,
  repair: string,
  cell: string
): Promise<RepairRenderer | null> {
  const notebook = panel.content;
  const found = findCell(panel, cell, null);
  if (!found) {
    return null;
  }
  NotebookActions.expandParent(found, notebook);
  notebook.activeCellIndex = notebook.widgets.indexOf(found);
  unfoldOutput(found);
  await notebook.scrollToItem(notebook.activeCellIndex, 'smart');
  for (let frame = 0; frame < FRAMES && !panels.of(panel, repair); frame += 1) {
    await new Promise(requestAnimationFrame);
  }
  return panels.of(panel, repair);
}

/** The repairs of a notebook that nobody has decided yet. */

import type { NotebookPanel } from '@jupyterlab/notebook';
import type { RepairModel } from '../panel/repair';
import { SEARCH_ENDED } from '../panel/words';
import type { Notice } from '../state';
import { findCell } from './cells';
import type { KernelLink } from './link';

export interface OpenRepair {
  model: RepairModel;
  /** The id of its cell. */
  cell: string;
  /** Where that is in the notebook, from 0. */
  index: number;
}

/** In the order of their cells; without those that were meant to fail. */
export function openRepairs(panel: NotebookPanel, link: KernelLink): OpenRepair[] {
  const found = link.repairs.all.flatMap(model => {
    const { id } = model.state.cell;
    const cell = id === null || model.decided || isQuiet(model) ? null : findCell(panel, id, null);
    return id !== null && cell ? [{ model, cell: id, index: panel.content.widgets.indexOf(cell) }] : [];
  });
  return found.sort((one, two) => one.index - two.index);
}

function isQuiet({ choices, state }: RepairModel): boolean {
  return state.quiet && !choices.unfolded;
}

/** The first with a fix below a place in the notebook; after the last comes the first. */
export function nextOf(open: readonly OpenRepair[], place: number): OpenRepair | null {
  const fixes = open.filter(({ model }) => model.open);
  return fixes.find(({ index }) => index > place) ?? fixes[0] ?? null;
}

/** What its cell is called. */
export function nameOf({ model, index }: OpenRepair): string {
  const count = model.state.cell.execution_count;
  return count === null ? `cell ${index + 1}` : `In [${count}]`;
}

/** What is known of it, in a line. */
export function standingOf({ choices, ownText, state }: RepairModel): Notice {
  if (state.working) {
    return { text: state.working, tone: 'plain' };
  }
  const fix = choices.shown(state.fixes);
  if (!fix) {
    return state.phase === 'searching' ? SEARCH_ENDED : { text: 'no fix was found', tone: 'plain' };
  }
  if (state.question && !choices.picked) {
    return { text: state.question, tone: 'plain' };
  }
  return ownText.some ? ownText.verdict : fix.verdict;
}

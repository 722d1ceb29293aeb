/** Tells a kernel the code cells of its notebook, when it asks. */

import type { INotebookTracker } from '@jupyterlab/notebook';
import type { WantCells } from '../fromkernel';
import type { NotebookCell } from '../frompage';
import type { KernelLink } from './link';
import type { KernelLinks } from './links';

/** What is told at most: the kernel looks at no more. */
const MOST = { cells: 500, characters: 200_000, ofOne: 20_000 };

export function tellCells(
  { client, request }: WantCells,
  link: KernelLink,
  tracker: INotebookTracker,
  links: KernelLinks
): void {
  const panel = link.isMine(client) ? tracker.find(each => links.of(each) === link) : undefined;
  if (!panel) {
    return;
  }
  const cells: NotebookCell[] = [];
  let left = MOST.characters;
  panel.content.widgets.forEach((cell, index) => {
    const source = cell.model.sharedModel.getSource();
    const fits = source.length <= Math.min(left, MOST.ofOne) && cells.length < MOST.cells;
    if (cell.model.type === 'code' && fits) {
      left -= source.length;
      cells.push({ id: cell.model.id, source, number: index + 1 });
    }
  });
  link.send({ type: 'cells', request, cells });
}

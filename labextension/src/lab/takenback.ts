/** Taking back the run of the last cell, and marking what it shows: that is of a state which is no more, until it runs again. */

import { showErrorMessage } from '@jupyterlab/apputils';
import { CodeCell } from '@jupyterlab/cells';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { TookBack } from '../fromkernel';
import { button } from '../panel/dom';
import { newId } from '../panel/newid';
import type { Applier } from './applier';
import { findCell } from './cells';
import type { KernelLink } from './link';
import type { KernelLinks } from './links';

const MARK = 'reflex-taken-back';
const MARK_RUN = 'reflex-run-again jp-mod-styled';

export class TakenBack {
  constructor(
    private _tracker: INotebookTracker,
    private _links: KernelLinks,
    private _applier: Applier
  ) {}

  /** Asks the kernel of the current notebook to take back its last run. */
  ask(): void {
    const request = newId();
    if (this._links.of(this._tracker.currentWidget)?.send({ type: 'back', request })) {
      this._asked.add(request);
    }
  }

  /** A kernel says what came of it: here, in another window, or by a command. */
  hear({ request, cell, good, words, stale }: TookBack, link: KernelLink): void {
    if (this._asked.delete(request) && !good) {
      void showErrorMessage('Nothing was taken back', words);
    }
    if (good && cell) {
      this._tracker.forEach(panel => {
        const found = this._links.of(panel) === link ? findCell(panel, cell, null) : null;
        if (found instanceof CodeCell) {
          const again = () => this._applier.runAgain(panel, [cell, ...stale]);
          mark(found, words, stale.length > 0 ? again : null);
        }
      });
    }
  }

  private readonly _asked = new Set<string>();
}

/**
 * Marks a cell until it runs again. `words`: what came of it, which the style sheet shows above its outputs. `again`: runs
 * it and those that have used what it had made; null: there are none.
 */
function mark(cell: CodeCell, words: string, again: (() => void) | null): void {
  const { model } = cell;
  const run = button('Run them again', 'Run this cell and those that have used what it made', MARK_RUN, () =>
    again?.()
  );
  const unmark = (_: unknown, change: { name: string }) => {
    if (change.name === 'executionCount') {
      cell.removeClass(MARK);
      run.remove();
      cell.outputArea.node.removeAttribute('data-taken-back');
      model.stateChanged.disconnect(unmark);
    }
  };
  cell.addClass(MARK);
  if (again) {
    cell.outputArea.node.prepend(run);
  }
  cell.outputArea.node.setAttribute('data-taken-back', words.replace(/`/g, ''));
  model.stateChanged.connect(unmark);
}

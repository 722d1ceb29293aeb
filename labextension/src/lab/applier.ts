/** Does what the kernel answers to a click on Accept, or asks for by itself: check everything, rewrite, run. */

import type { ISessionContextDialogs } from '@jupyterlab/apputils';
import { Cell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import type { Apply, SourceEdit } from '../fromkernel';
import type { Accept, ApplyStatus, Resume, Undo } from '../frompage';
import { atOnce } from './atonce';
import { findCell, hasText, obstacleOf, obstacleOfRun, rewrite, run, runInTurn } from './cells';
import type { KernelLink } from './link';
import type { KernelLinks } from './links';

/** A click that the kernel has been asked about. */
interface Asked {
  link: KernelLink;
  panel: NotebookPanel;
  /** Called when the cells are rewritten or it is clear that they will not be; again if they then could not be run. */
  done: (status: ApplyStatus | 'no-kernel') => void;
}

export class Applier {
  constructor(
    private _tracker: INotebookTracker,
    private _links: KernelLinks,
    private _dialogs: ISessionContextDialogs | null
  ) {}

  /** Has a fix put into effect in a notebook, as its kernel answers or at once; false: no kernel listens. */
  ask(panel: NotebookPanel, message: Accept | Resume | Undo, done: Asked['done']): boolean {
    const link = this._links.of(panel);
    const kernel = panel.sessionContext.session?.kernel;
    if (!link || !kernel) {
      return false;
    }
    const client = kernel.clientId;
    const edit = message.type === 'accept' ? atOnce(message, link) : null;
    if (edit && link.isIdle && obstacleOf(panel, edit, null) === null) {
      this._begin(panel, link, kernel, edit, { ...(message as Accept), client, at_once: true }, done);
      return true;
    }
    if (!link.urge({ ...message, client })) {
      return false;
    }
    this._asked.set(message.request, { link, panel, done });
    return true;
  }

  /** Does what a kernel asks for, if it asks this page; in a notebook of that kernel, and in no other. */
  fromKernel(message: Apply, link: KernelLink): void {
    if (!link.isMine(message.client)) {
      return;
    }
    const { edits, request } = message;
    const asked = this._asked.get(request);
    this._asked.delete(request);
    const done = (status: ApplyStatus) => {
      asked?.done(status);
      link.urge({ type: 'applied', request, status });
    };
    const cell = edits[0]?.cell ?? '';
    const panel = asked ? asked.panel : this._notebookOf(link, cell);
    const status = panel ? this._trouble(panel, link, message) : this._missing(cell);
    if (panel && status === 'applied') {
      this._rewrite(panel, edits);
    }
    const toRun = panel && status === 'applied' ? findCell(panel, message.run, null) : null;
    if (panel && toRun) {
      const first = message.first.map(one => findCell(panel, one.cell, null)).filter(one => one !== null);
      void this._run(panel, first, toRun, done);
      window.setTimeout(() => done(status)); // what it draws comes once the kernel has the cell to run
    } else {
      done(status);
    }
  }

  /** Runs those of some cells that are still in a notebook, in that order; the first that fails is the last. */
  runAgain(panel: NotebookPanel, ids: (string | null)[]): void {
    const cells = ids
      .map(id => id !== null && findCell(panel, id, null))
      .filter(cell => cell instanceof Cell);
    runInTurn(panel, cells, this._dialogs).catch(reason => {
      console.error('reflex: the cells could not be run', reason);
    });
  }

  /** The kernel does not answer a click with cells to rewrite; one that was rewritten already gets its text back. */
  declined(request: string): void {
    this._asked.delete(request);
    this._begun.get(request)?.();
    this._begun.delete(request);
  }

  /**
   * Rewrites a cell, and sends the click with it. Nothing else is sent until the cell has run: once the page answers
   * within 40 ms of what it got, its system confirms what comes so much later, and the server waits for that (Nagle).
   */
  private _begin(
    panel: NotebookPanel,
    link: KernelLink,
    kernel: Kernel.IKernelConnection,
    edit: SourceEdit,
    click: Accept,
    done: Asked['done']
  ): void {
    const cell = findCell(panel, edit.cell, null);
    if (!cell) {
      return; // somebody has looked
    }
    const { request } = click;
    this._rewrite(panel, [edit]);
    this._begun.set(request, () => {
      const back = { ...edit, expected: edit.source, source: edit.expected };
      if (!panel.isDisposed && obstacleOf(panel, back, null) === null) {
        this._rewrite(panel, [back]);
      }
    });
    const tell = (status: ApplyStatus) => {
      done(status);
      link.urge({ type: 'applied', request, status });
    };
    let sent = false;
    const begins = () => {
      sent = true;
      const brought = link.bring(edit.cell, click, kernel);
      queueMicrotask(() => {
        if (!brought()) {
          link.sendInTurn(click, kernel); // another extension runs the cells, in a way of its own
        }
      });
    };
    void this._run(panel, [], cell, tell, begins).then(() => {
      if (!sent) {
        this.declined(request); // as where the kernel is ending: it was told nothing
        done('no-kernel');
      }
      this._begun.delete(request);
    });
    window.setTimeout(() => done('applied')); // what it draws comes once the kernel has the cell to run, which it will see
  }

  /** What stands in the way of all the edits together; "applied": nothing. */
  private _trouble(panel: NotebookPanel, link: KernelLink, { edits, first }: Apply): ApplyStatus {
    if (panel.isDisposed || this._links.of(panel) !== link) {
      return 'kernel-mismatch';
    }
    const troubles = [
      ...first.map(({ cell, expected }) => obstacleOfRun(panel, cell, expected)),
      ...edits.map(edit => (hasText(panel, edit) ? null : obstacleOf(panel, edit, null)))
    ];
    return troubles.find(trouble => trouble !== null) ?? 'applied';
  }

  /** Gives all the cells their new sources. */
  private _rewrite(panel: NotebookPanel, edits: SourceEdit[]): void {
    const found = edits.map(edit => ({ cell: findCell(panel, edit.cell, null), source: edit.source }));
    for (const { cell, source } of found) {
      if (cell && cell.model.sharedModel.getSource() !== source) {
        rewrite(cell, source);
      }
    }
  }

  // Not waited for: it ends when the cell does.
  private _run(
    panel: NotebookPanel,
    first: Cell[],
    cell: Cell,
    done: (status: ApplyStatus) => void,
    begins?: () => void
  ): Promise<void> {
    return this._inTurn(panel, first, cell, done, begins).catch(reason => {
      console.error('reflex: the cell could not be run', reason);
      done('run-failed');
    });
  }

  /** Runs the cells one after the other; the first that fails is the last. */
  private async _inTurn(
    panel: NotebookPanel,
    first: Cell[],
    last: Cell,
    done: (status: ApplyStatus) => void,
    begins?: () => void
  ): Promise<void> {
    if (await runInTurn(panel, first, this._dialogs)) {
      await run(panel, last, this._dialogs, begins);
    } else {
      done('first-failed');
    }
  }

  private _notebookOf(link: KernelLink, cell: string): NotebookPanel | null {
    return (
      this._tracker.find(panel => this._links.of(panel) === link && findCell(panel, cell, null) !== null) ??
      null
    );
  }

  /** Why there is no notebook of that kernel with the cell. */
  private _missing(cell: string): ApplyStatus {
    const elsewhere = this._tracker.find(panel => findCell(panel, cell, null) !== null);
    return elsewhere ? 'kernel-mismatch' : 'cell-not-found';
  }

  /** By the names under which the kernels were asked. */
  private readonly _asked = new Map<string, Asked>();
  /** What gives cells that run already their old texts back, by the same names. */
  private readonly _begun = new Map<string, () => void>();
}

/** Applies accepted fixes in the page: check everything, tell the kernel, rewrite, run. */

import type { ISessionContextDialogs } from '@jupyterlab/apputils';
import type { Cell } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Apply, ApplyStatus } from '../messages';
import { APPLY_EVENT, type ApplyRequest, type RequestedEdit } from '../panel/request';
import { findCell, findNotebook, obstacleOf, rewrite, run } from './cells';
import type { KernelLink } from './link';
import type { KernelLinks } from './links';

/** Where edits are to be applied. */
interface Place {
  panel: NotebookPanel;
  /** The element that asked; null when the kernel did. */
  node: Node | null;
}

export class Applier {
  constructor(
    private _tracker: INotebookTracker,
    private _links: KernelLinks,
    private _dialogs: ISessionContextDialogs | null
  ) {
    document.addEventListener(APPLY_EVENT, event => this._requested(event as CustomEvent<ApplyRequest>));
  }

  /** Does what the kernel asks for, if it asks this page. */
  fromKernel(message: Apply, link: KernelLink): void {
    if (!link.isMine(message.client)) {
      return;
    }
    const { edits, request } = message;
    const cell = edits[edits.length - 1]?.cell ?? '';
    const panel = this._notebookOf(link, cell);
    const status = panel ? this._trouble({ panel, node: null }, edits) : this._missing(cell);
    const rewritten = panel && status === 'applied' ? this._rewrite({ panel, node: null }, edits) : null;
    link.send({ type: 'applied', request, status });
    if (panel && rewritten && message.run) {
      const failed = () => link.send({ type: 'applied', request, status: 'run-failed' });
      this._run(panel, rewritten, failed);
    }
  }

  private _requested(event: CustomEvent<ApplyRequest>): void {
    event.preventDefault(); // says to the panel that somebody is here
    const node = event.composedPath()[0] as Node;
    const request = event.detail;
    const failing = request.edits[request.edits.length - 1];
    const panel = failing ? findNotebook(this._tracker, node, failing.cell) : null;
    if (panel) {
      void this._apply({ panel, node }, request);
    } else {
      request.done('cell-not-found');
    }
  }

  private async _apply(place: Place, request: ApplyRequest): Promise<void> {
    const { edits, repair, session, run, done } = request;
    const status = this._trouble(place, edits);
    if (status !== 'applied') {
      done(status);
      return;
    }
    const link = this._links.of(place.panel);
    const known = link?.bond(session) === 'same' ? link : null;
    const told = known?.handOver(this._decision(request)); // sent now, before anything changes
    const last = this._rewrite(place, edits);
    done(status);
    await told;
    if (run && last) {
      this._run(place.panel, last, () => {
        known?.send({ type: 'refused', repair, status: 'run-failed' });
        done('run-failed');
      });
    }
  }

  private _decision({ repair, fix, edits, run, whole }: ApplyRequest) {
    const choice = { repair, fix, sources: edits.map(edit => edit.source), run, whole };
    return { type: 'decide', decision: 'accepted', applied: true, ...choice } as const;
  }

  /** What stands in the way of all the edits together; "applied": nothing. */
  private _trouble({ panel, node }: Place, edits: RequestedEdit[]): ApplyStatus {
    return edits.map(edit => obstacleOf(panel, edit, node)).find(trouble => trouble !== null) ?? 'applied';
  }

  /** Gives all the cells their new sources; returns the failing one. */
  private _rewrite({ panel, node }: Place, edits: RequestedEdit[]): Cell | null {
    const found = edits.map(edit => ({ cell: findCell(panel, edit.cell, node), source: edit.source }));
    for (const { cell, source } of found) {
      if (cell) {
        rewrite(cell, source);
      }
    }
    return found[found.length - 1]?.cell ?? null;
  }

  // Not waited for: it ends when the cell does.
  private _run(panel: NotebookPanel, cell: Cell, failed: () => void): void {
    run(panel, cell, this._dialogs).catch(reason => {
      console.error('reflex: the cell could not be run', reason);
      failed();
    });
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
}

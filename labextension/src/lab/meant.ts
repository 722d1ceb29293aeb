/** Which fix a shortcut means: the selected cell's, if it is in sight. Else the nearest is shown, and nothing else is done. */

import type { INotebookTracker } from '@jupyterlab/notebook';
import type { PanelView } from '../panel/view';
import { bringIntoView } from './bringintoview';
import type { Panels } from './panels';
import type { RepairRenderer } from './renderer';

export class MeantFix {
  constructor(
    private _tracker: INotebookTracker,
    private _panels: Panels
  ) {
    const count = (event: Event) => {
      this._presses += event instanceof KeyboardEvent && event.repeat ? 0 : 1;
    };
    for (const event of ['keydown', 'pointerdown']) {
      window.addEventListener(event, count, true);
    }
  }

  get exists(): boolean {
    return this._panels.nearest !== null;
  }

  /** Does something to the fix that is meant. What the user may not have seen is shown instead, and waits for another press. */
  act(decision: 'accept' | 'reject', act: (view: PanelView) => void): void {
    const renderer = this._panels.nearest;
    const view = renderer?.view;
    if (!renderer || !view || this._done === this._presses) {
      return; // a key that is held down is no second press
    }
    this._done = this._presses;
    if (this._panels.isActive(renderer) && view.inSight) {
      act(view);
    } else {
      this._show(renderer);
      view.awaitPress(decision);
    }
  }

  show(): void {
    const renderer = this._panels.nearest;
    if (renderer) {
      this._show(renderer);
    }
  }

  private _show(renderer: RepairRenderer): void {
    const notebook = this._tracker.currentWidget?.content;
    if (notebook) {
      bringIntoView(notebook, renderer).catch(reason =>
        console.error('reflex: a fix could not be shown', reason)
      );
    }
  }

  private _presses = 0;
  /** The press that has done something. */
  private _done = -1;
}

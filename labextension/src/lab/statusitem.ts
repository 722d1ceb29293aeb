/** The status bar's word on the current notebook: on, off, or not loaded. A click opens what there is to set and to decide. */

import type { INotebookTracker } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';
import { setText } from '../panel/dom';
import type { KernelLinks } from './links';
import type { Popover } from './popover';
import type { Preferences } from './preferences';

const TITLES = {
  'Reflex: on': 'Reflex looks for a fix whenever a cell fails. Click for its settings and the open fixes.',
  'Reflex: off':
    "Reflex doesn't look for a fix when a cell fails. Click for its settings and the open fixes.",
  'Reflex: not loaded': "Reflex is not loaded in this notebook's kernel. Click to see how."
};

export class StatusItem extends Widget {
  constructor(
    private _tracker: INotebookTracker,
    private _links: KernelLinks,
    private _popover: Popover,
    private _preferences: Preferences
  ) {
    super({ node: document.createElement('button') });
    this.addClass('reflex-status');
    _popover.anchor = this.node;
    this._followClicks();
    _links.changed.connect(this._draw, this);
    _tracker.currentChanged.connect(this._draw, this);
    _preferences.changed.connect(this._draw, this);
    _popover.toggled.connect(this._draw, this);
    this._draw();
  }

  /** A press beside an open popover closes it: the click that follows is not to open it again. */
  private _followClicks(): void {
    let wasOpen = false;
    this.node.addEventListener('pointerdown', () => {
      wasOpen = this._popover.isOpen;
    });
    this.node.addEventListener('click', event => {
      const byPointer = event.detail > 0;
      if (byPointer ? wasOpen : this._popover.isOpen) {
        this._popover.close();
      } else {
        this._popover.open();
      }
    });
  }

  private _draw(): void {
    const panel = this._tracker.currentWidget;
    this.setHidden(!panel || !this._preferences.showStatus);
    const enabled = this._links.of(panel)?.enabled ?? null;
    const text = enabled === null ? 'Reflex: not loaded' : enabled ? 'Reflex: on' : 'Reflex: off';
    setText(this.node, text);
    this.node.title = TITLES[text];
    this.node.setAttribute('aria-expanded', String(this._popover.isOpen));
  }
}

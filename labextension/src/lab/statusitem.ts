/** The status bar's word on the current notebook: on, off, or not loaded. A click changes that. */

import type { INotebookTracker } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';
import { setText } from '../panel/dom';
import type { KernelLinks } from './links';
import { toggle } from './loading';
import type { Preferences } from './preferences';

const TITLES = {
  'Reflex: on': 'Reflex looks for a fix whenever a cell fails. Click to turn it off.',
  'Reflex: off': "Reflex doesn't look for a fix when a cell fails. Click to turn it on.",
  'Reflex: not loaded': "Reflex is not loaded in this notebook's kernel. Click to see how."
};

export class StatusItem extends Widget {
  constructor(
    private _tracker: INotebookTracker,
    private _links: KernelLinks,
    private _preferences: Preferences
  ) {
    super({ node: document.createElement('button') });
    this.addClass('reflex-status');
    this.node.addEventListener('click', () => toggle(_tracker, _links));
    _links.changed.connect(this._draw, this);
    _tracker.currentChanged.connect(this._draw, this);
    _preferences.changed.connect(this._draw, this);
    this._draw();
  }

  private _draw(): void {
    const panel = this._tracker.currentWidget;
    this.setHidden(!panel || !this._preferences.showStatus);
    const enabled = this._links.of(panel)?.enabled ?? null;
    const text = enabled === null ? 'Reflex: not loaded' : enabled ? 'Reflex: on' : 'Reflex: off';
    setText(this.node, text);
    this.node.title = TITLES[text];
  }
}

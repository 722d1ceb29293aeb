/** The user's settings for the front end; without a settings registry, their defaults. */

import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { Signal } from '@lumino/signaling';
import type { Layout } from '../panel/diffpane';

export class Preferences {
  readonly changed = new Signal<this, void>(this);
  layout: Layout = 'unified';
  /** What the accept command does: rewrite and run, or only rewrite. */
  runOnAccept = true;
  showStatus = true;

  constructor(registry: ISettingRegistry | null, plugin: string) {
    registry
      ?.load(plugin)
      .then(settings => {
        settings.changed.connect(this._read, this);
        this._read(settings);
      })
      .catch(reason =>
        console.error('reflex: the settings could not be read, the defaults are used', reason)
      );
  }

  private _read(settings: ISettingRegistry.ISettings): void {
    this.layout = settings.get('layout').composite === 'split' ? 'split' : 'unified';
    this.runOnAccept = settings.get('runOnAccept').composite !== false;
    this.showStatus = settings.get('showStatus').composite !== false;
    this.changed.emit();
  }
}

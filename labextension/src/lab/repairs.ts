/** The repairs that this page knows: drawn from the notebook's outputs, kept up to date by the kernels. */

import { RepairModel } from '../panel/repair';
import { Tabs } from '../panel/tabs';
import type { PanelState } from '../state';

interface Known {
  model: RepairModel;
  /** The output's document as it was last seen; null: only the kernel has spoken of it. */
  seen: string | null;
}

export class Repairs {
  /** The model for an output. Its document counts if it changed; else what the kernel said since is newer. */
  drawn(state: PanelState): RepairModel {
    const known = this._known(state);
    const text = JSON.stringify(state);
    if (known.seen !== null && known.seen !== text) {
      known.model.setState(state);
    }
    known.seen = text;
    return known.model;
  }

  /** The kernel has a new state. */
  told(state: PanelState): void {
    this._known(state).model.setState(state);
  }

  get(repair: string): RepairModel | undefined {
    return this._repairs.get(repair)?.model;
  }

  /** Forgets what nobody draws; for when a notebook was closed. */
  sweep(): void {
    for (const [repair, { model }] of this._repairs) {
      if (!model.watched) {
        this._repairs.delete(repair);
      }
    }
  }

  private _known(state: PanelState): Known {
    let known = this._repairs.get(state.repair);
    if (!known) {
      known = { model: new RepairModel(state), seen: null };
      this._tabs.join(known.model);
      this._repairs.set(state.repair, known);
    }
    return known;
  }

  private readonly _repairs = new Map<string, Known>();
  private readonly _tabs = new Tabs(repair => this.get(repair));
}

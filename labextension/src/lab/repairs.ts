/** The repairs that one session of a kernel has told this page of: what it says of them is drawn, and nothing else. */

import type { Recall } from '../frompage';
import { newId } from '../panel/newid';
import { RepairModel } from '../panel/repair';
import { Tabs } from '../panel/tabs';
import type { PanelState } from '../state';

/** Beyond, the oldest that nobody draws are forgotten; the kernel itself keeps fewer. */
const KEPT = 100;

export class Repairs {
  get(repair: string): RepairModel | undefined {
    return this._repairs.get(repair);
  }

  /** All of them, in the order in which they were told. */
  get all(): RepairModel[] {
    return [...this._repairs.values()];
  }

  /** Whether a repair was found in the history when a saved panel was asked about. */
  recalled(repair: string): boolean {
    return this._recalled.has(repair);
  }

  /** The kernel has a new state; returns whether it is of a repair that was not known so far. */
  told(state: PanelState): boolean {
    const known = this._repairs.get(state.repair);
    if (known) {
      known.setState(state);
      return false;
    }
    const model = new RepairModel(state);
    this._tabs.join(model);
    this._repairs.set(state.repair, model);
    if ([...this._asked.values()].some(saved => saved.repair === state.repair)) {
      this._recalled.add(state.repair);
    }
    this._forgetOldest();
    return true;
  }

  /** What to ask the kernel about a saved panel; null: it was asked already. */
  question(saved: PanelState): Recall | null {
    if (this._questioned.has(saved)) {
      return null;
    }
    this._questioned.add(saved);
    const request = newId();
    this._asked.set(request, saved);
    return { type: 'recall', request, repair: saved.repair, shown: saved };
  }

  /** The kernel does not know what was asked about under that name. */
  unknown(request: string): void {
    const saved = this._asked.get(request);
    if (saved) {
      this._unknown.add(saved);
    }
  }

  /** Whether the kernel has said that it does not know a saved panel's repair. */
  isUnknown(saved: PanelState): boolean {
    return this._unknown.has(saved);
  }

  /** Another session knows nothing of them. */
  clear(): void {
    this._repairs.clear();
    this._recalled.clear();
    this._asked.clear();
    this._questioned = new WeakSet();
    this._unknown = new WeakSet();
  }

  dispose(): void {
    this.clear();
    this._tabs.dispose();
  }

  private _forgetOldest(): void {
    for (const [repair, model] of [...this._repairs].slice(0, -KEPT)) {
      if (!model.watched) {
        this._repairs.delete(repair);
      }
    }
  }

  private readonly _repairs = new Map<string, RepairModel>();
  private readonly _recalled = new Set<string>();
  /** The saved panels that the kernel was asked about, by the names of the questions. */
  private readonly _asked = new Map<string, PanelState>();
  private _questioned = new WeakSet<PanelState>();
  private _unknown = new WeakSet<PanelState>();
  private readonly _tabs = new Tabs(repair => this.get(repair));
}

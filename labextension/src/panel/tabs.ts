/** Tells the other tabs of a decision at once: two clicks must not run a cell twice, even while the kernel is busy. */

import type { LocalDecision, RepairModel } from './repair';

interface Told {
  session: string;
  repair: string;
  decision: LocalDecision | null;
}

export class Tabs {
  /** `find` gives the page's model of a repair, if it has one. */
  constructor(private _find: (repair: string) => RepairModel | undefined) {
    if (this._channel) {
      this._channel.onmessage = (event: MessageEvent<Told>) => this._hear(event.data);
    }
  }

  /** Lets a model's decisions be told. */
  join(model: RepairModel): void {
    model.announce = decision => {
      const { session, repair } = model.state;
      this._channel?.postMessage({ session, repair, decision });
    };
  }

  dispose(): void {
    this._channel?.close();
  }

  private _hear(told: Told): void {
    const model = this._find(told.repair);
    if (!model || model.state.session !== told.session) {
      return; // another kernel's
    }
    if (told.decision) {
      model.decide({ ...told.decision, awaited: false, elsewhere: true });
    } else if (model.local?.elsewhere) {
      model.takeBack(null);
    }
  }

  // Some hosts show outputs in frames of an opaque origin, where there may be none.
  private _channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('reflex_ipython');
}

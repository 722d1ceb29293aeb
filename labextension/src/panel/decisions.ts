/** Makes the user's decisions: the model holds them, and the kernel hears of them. */

import type { Changes } from './changes';
import type { LocalDecision } from './repair';
import type { Standpoint } from './standpoint';
import type { Wishes } from './wishes';
import * as words from './words';

/** Milliseconds that a kernel may take to change the cell that it runs before that is said. */
const PATIENCE = 2000;

const REJECTED: LocalDecision = {
  kind: 'rejected',
  request: '',
  run: false,
  awaited: false,
  accepted: null,
  elsewhere: false
};

export class Decisions {
  constructor(
    private _at: Standpoint,
    private _wishes: Wishes,
    private _changes: Changes
  ) {}

  /** Accepts the shown fix, if nothing is in the way. */
  accept(run: boolean, whole: boolean): void {
    const { fix, model, host } = this._at;
    if (!fix || !this._at.open || this._at.choosing || this._at.blocked(fix)) {
      return;
    }
    const sources = this._changes.edited ? this._changes.sources() : []; // before it is decided: nothing is edited then
    const message = this._wishes.acceptance(fix, sources, { run, whole });
    const accepted = { fix: fix.id, sources: this._changes.sources() };
    const { request } = message;
    const awaited = !host.offersCopy;
    const mends = model.state.running;
    if (!host.accept(message)) {
      model.takeBack(words.refused('no-kernel'));
      return;
    }
    model.decide({ kind: 'accepted', request, run, awaited, accepted, elsewhere: false });
    if (mends) {
      window.setTimeout(() => model.late(request), PATIENCE);
    }
  }

  reject(): void {
    if (this._at.open) {
      this._at.model.decide(REJECTED);
      this._wishes.reject();
    }
  }

  /** Has the cell go on where it failed, as the user has changed it. */
  resume(): void {
    const { answer, model, host } = this._at;
    if (!answer?.label) {
      return;
    }
    const message = this._wishes.resumption(answer.source);
    const { request } = message;
    model.decide({ kind: 'accepted', request, run: true, awaited: true, accepted: null, elsewhere: false });
    if (!host.accept(message)) {
      model.takeBack(words.refused('no-kernel'));
    }
  }
}

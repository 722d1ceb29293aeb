/** How a repair stands in this place just now: what the kernel vouches for, what is shown, what is in the way. */

import type { Resumable } from '../fromkernel';
import type { FixView } from '../state';
import type { Host, Obstacle } from './host';
import type { RepairModel } from './repair';

/** All of it is found anew whenever it is asked for: the cell and the kernel may have changed. */
export class Standpoint {
  constructor(
    readonly model: RepairModel,
    readonly host: Host
  ) {}

  /** The fix that is shown, or would be if it were chosen. */
  get fix(): FixView | null {
    return this.model.choices.shown(this.model.state.fixes);
  }

  /** Whether the kernel vouches for what is drawn. */
  get live(): boolean {
    return this.host.standing() === 'live';
  }

  /** Whether there is a fix to decide on. */
  get open(): boolean {
    return this.model.open && this.live && this.fix !== null;
  }

  /** Whether there is a fix that only can be looked at. */
  get picture(): boolean {
    return !this.live && this.model.open && this.fix !== null;
  }

  /** Whether several things may be meant, and it is not decided which. */
  get choice(): boolean {
    return this.model.state.question !== '' && (this.open || this.picture);
  }

  /** Whether the user still has to say which. */
  get choosing(): boolean {
    return this.choice && !this.model.choices.picked;
  }

  /** Whether it is one line, as the cell was meant to fail, until somebody opens it. */
  get folded(): boolean {
    return this.model.state.quiet && !this.model.choices.unfolded && !this.model.decided;
  }

  /** What the kernel says of the cell's present text, where the user has changed it. */
  get answer(): Resumable | null {
    const { decided, mended } = this.model;
    const text = this.live && !decided && mended !== null ? this.host.source() : null;
    const says = mended !== null && (mended.label !== '' || mended.words !== '');
    return text !== null && says && mended.source === text ? mended : null;
  }

  /** Whether the user has changed the failed cell, so that no fix fits it. */
  get changedByHand(): boolean {
    const obstacle = this.obstacle;
    return obstacle?.why === 'source-changed' && obstacle.cell === '';
  }

  /** Whether a decision can be taken back here: only a page that rewrites cells can. */
  get undoable(): boolean {
    const { local, state } = this.model;
    const decided = state.phase === 'accepted' || state.phase === 'rejected';
    return this.live && local === null && decided && !this.host.offersCopy;
  }

  /** Who is at work; nobody is at work on a picture. */
  get working(): string {
    return this.live ? this.model.state.working : '';
  }

  get obstacle(): Obstacle | null {
    return this.fix && this.host.obstacle(this.fix);
  }

  blocked(fix: FixView): boolean {
    return fix.refused !== '' || this.host.obstacle(fix) !== null;
  }
}

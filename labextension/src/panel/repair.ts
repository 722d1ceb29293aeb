/** One repair as this page knows it: the kernel's state, and what was decided here and not yet confirmed. */

import type { Resumable } from '../fromkernel';
import type { ApplyStatus } from '../frompage';
import type { AcceptedView, PanelState } from '../state';
import { Choices } from './choices';
import { ModelChoice } from './modelchoice';
import { OwnText } from './owntext';

export interface LocalDecision {
  kind: 'accepted' | 'rejected';
  /** The name under which the kernel was asked; empty where it only was told. */
  request: string;
  run: boolean;
  /** This page is to rewrite the cells, and has not yet: until then nothing is said to have happened. */
  awaited: boolean;
  accepted: AcceptedView | null;
  /** It was made in another tab. */
  elsewhere: boolean;
}

/** Why a click on Accept comes to nothing: as the page says it, or nobody was there to do it. */
export type Refusal = Exclude<ApplyStatus, 'applied'> | 'no-kernel';

const DECIDED = new Set(['accepted', 'rejected', 'superseded']);

export class RepairModel {
  readonly choices = new Choices();
  readonly modelChoice = new ModelChoice(() => this.changed());
  readonly ownText = new OwnText(() => this.changed());
  /** What the model has written so far. */
  text = '';
  /** What a screen reader was told last. */
  said = '';
  local: LocalDecision | null = null;
  /** It was decided in another tab. */
  elsewhere = false;
  /** The kernel has been asked to put it into effect, and lets one wait for its answer. */
  unanswered = false;
  /** Why the last one came to nothing, in words. */
  refusal: string | null = null;
  /** What the kernel says of the cell as the user has changed it; null: it has not been asked, or has not answered. */
  mended: Resumable | null = null;
  /** Told of each decision that is made in this page, and (null) of its being taken back. */
  announce: (decision: LocalDecision | null) => void = () => undefined;

  constructor(private _state: PanelState) {
    this.choices.follow([], _state.fixes);
    this._showAccepted();
  }

  get state(): PanelState {
    return this._state;
  }

  /** Whether the user can still decide. */
  get open(): boolean {
    return this._state.phase === 'ready' && this.local === null;
  }

  /** What was accepted, confirmed or not. */
  get accepted(): AcceptedView | null {
    return this.local ? this.local.accepted : this._state.accepted;
  }

  get decided(): boolean {
    return this.local !== null || DECIDED.has(this._state.phase);
  }

  setState(state: PanelState): void {
    this.choices.follow(this._state.fixes, state.fixes);
    if (DECIDED.has(state.phase) && !this.local?.awaited) {
      this.local = this.refusal = null;
    }
    this.elsewhere &&= DECIDED.has(state.phase) || this.local !== null;
    if (state.working !== this._state.working) {
      this.text = ''; // it was said by who worked before
    }
    const news = state.accepted?.fix !== this._state.accepted?.fix;
    this._state = state;
    if (news || !this.choices.touched) {
      this._showAccepted();
    }
    this.changed();
  }

  addText(text: string, start: boolean): void {
    this.text = start ? text : this.text + text;
    this.changed();
  }

  /** Holds a decision. It is drawn as soon as what the click has to send is on its way. */
  decide(decision: LocalDecision): void {
    this.local = decision;
    this.elsewhere = decision.elsewhere;
    this.refusal = null;
    this.unanswered = false;
    if (!decision.elsewhere) {
      this.announce(decision);
    }
    window.setTimeout(() => this.changed());
  }

  /** The kernel says whether the cell could go on with the text that the user has given it. */
  resumable(answer: Resumable): void {
    this.mended = answer;
    this.changed();
  }

  /** So much time has passed since the kernel was asked under that name that the user should know. */
  late(request: string): void {
    if (this.local?.request === request && this.local.awaited) {
      this.unanswered = true;
      this.changed();
    }
  }

  /** This page has rewritten the cells. */
  rewritten(): void {
    if (this.local) {
      this.local = DECIDED.has(this._state.phase) ? null : { ...this.local, awaited: false };
      this.changed();
    }
  }

  /** Takes a decision back, saying why if it was made here. */
  takeBack(why: string | null): void {
    const mine = this.local !== null && !this.local.elsewhere;
    this.local = null;
    this.elsewhere = false;
    this.refusal = why;
    if (mine) {
      this.announce(null);
    }
    this.changed();
  }

  /** The kernel does not do what was asked under that name. */
  declined(request: string, reason: string): void {
    if (this.local?.request === request) {
      this.takeBack(reason);
    }
  }

  /** Calls `listener` after each change; returns what ends that. */
  onChange(listener: () => void): () => void {
    this._listeners.add(listener);
    return () => this._listeners.delete(listener);
  }

  /** Whether anybody draws this repair. */
  get watched(): boolean {
    return this._listeners.size > 0;
  }

  changed(): void {
    for (const listener of [...this._listeners]) {
      listener();
    }
  }

  private _showAccepted(): void {
    const accepted = this._state.fixes.find(fix => fix.id === this._state.accepted?.fix);
    if (accepted) {
      this.choices.show(accepted);
    }
  }

  private readonly _listeners = new Set<() => void>();
}

/** The panel: draws a repair, and turns clicks into decisions. The same in every host. */

import type { FixView, Notice, RunOptionView } from '../state';
import { type ActionState, Actions, asks } from './actions';
import { Alternatives } from './alternatives';
import { Announcer, heard } from './announcer';
import { AskBar } from './ask';
import { Attempts } from './attempts';
import { Changes } from './changes';
import { Decisions } from './decisions';
import { button, h } from './dom';
import { FixedSource } from './fixedsource';
import { hasKeyboard } from './focus';
import { Header } from './header';
import type { Host } from './host';
import { guardKeys } from './keys';
import { Mended } from './mended';
import { ModelForm } from './modelform';
import { NextSteps } from './nextsteps';
import { Notices } from './notices';
import { OtherFixes } from './otherfixes';
import { Progress } from './progress';
import { type ReasonState, Reasons } from './reasons';
import type { RepairModel } from './repair';
import { sayings } from './sayings';
import { inSight } from './sight';
import { Stale } from './stale';
import { Standpoint } from './standpoint';
import type { VerdictState } from './verdict';
import { Wishes } from './wishes';
import * as words from './words';

/** What there is to say, in the place of a verdict. */
function lead(notice: Notice | undefined, undoable: boolean): VerdictState | null {
  return notice ? { verdict: notice, triable: false, undoable } : null;
}

export class PanelView {
  readonly node = h('section', 'rx-panel');

  constructor(
    readonly model: RepairModel,
    private _host: Host
  ) {
    this._at = new Standpoint(model, _host);
    this._changes = new Changes(_host, model.choices, () => this.update());
    this._wishes = new Wishes(model, _host);
    this._fixed = new FixedSource(this._at, this._changes);
    this._decisions = new Decisions(this._at, this._wishes, this._changes);
    this._announcer = new Announcer(model);
    this._modelForm = new ModelForm(
      model.modelChoice,
      message => this._wishes.send(message),
      () => this._leaveModelForm()
    );
    this._steps = new NextSteps(name => this._wishes.choose(name), _host.goTo);
    this._stale = new Stale(_host.runAgain);
    this._ask = new AskBar(
      model.choices,
      (hint, allow) => this._wishes.ask(hint, allow),
      () => this._modelForm.toggle()
    );
    this._actions = new Actions(
      {
        accept: (run, whole) => this._decisions.accept(run, whole),
        reject: () => this._decisions.reject(),
        edit: () => this._changes.edit(),
        discard: () => this._discard(),
        read: read => this._setRead(read)
      },
      _host
    );
    this._build();
    this._unsubscribe = model.onChange(() => this.update());
    this.update();
  }

  /** Whether there is a fix to decide on. */
  get open(): boolean {
    return this._at.open;
  }

  /** Draws what has changed. Hosts call it when what they know of the cell or the kernel has changed. */
  update(): void {
    const had = hasKeyboard(this.node);
    const { decided } = this.model;
    this._draw();
    if (had && decided !== this._wasDecided) {
      this._leave(); // also where it was taken back: a key that is meant for the cell would decide anew
    } else if (had && !hasKeyboard(this.node)) {
      this._giveBack();
    }
    this._wasDecided = decided;
  }

  /** Whether there is something that the user has to answer before the shown fix can be accepted so. */
  asks(run: boolean): boolean {
    if (!this.open || this._at.fix === null) {
      return false;
    }
    return this._at.folded || this._at.choosing || (run && asks(this._actionState(this._at.fix)));
  }

  /** Gives the panel the keyboard: what is to be answered, if there is something. */
  focus(): void {
    if (this.open && this._at.choosing) {
      this._alternatives.focus();
    } else {
      this.node.focus({ preventScroll: true });
    }
  }

  /** What had the keyboard in this panel as it was drawn before is hidden now: what takes its place gets it. */
  lost(control: Element): void {
    if (this._modelForm.node.contains(control)) {
      this._leaveModelForm();
    } else {
      this._giveBack();
    }
  }

  /** Accepts the shown fix, if that is possible just now; what has to be answered first gets the keyboard instead. */
  accept(run: boolean): void {
    if (this._at.folded) {
      this._open();
    } else if (this.open && this._at.choosing) {
      this.focus();
    } else if (this._at.fix && this.asks(run)) {
      this._actions.ask(this._actionState(this._at.fix));
    } else {
      this._decisions.accept(run, false);
    }
  }

  reject(): void {
    this._decisions.reject();
  }

  /** Marks the button of a decision whose shortcut has shown the panel and will make it when it is pressed once more. */
  awaitPress(decision: 'accept' | 'reject'): void {
    this._changes.lead();
    this.node.dataset.awaits = decision;
  }

  /** What is in the way of the shown fix in the notebook, in words; empty: nothing is. */
  get obstacle(): string {
    const { obstacle } = this._at;
    return obstacle ? words.inTheWay(obstacle).text : '';
  }

  /** Whether all that a decision is about is on the screen, as far as there is room for it. */
  get inSight(): boolean {
    return inSight(this.node, this._footer) && this._changes.inSight;
  }

  dispose(): void {
    this._unsubscribe();
    this._unguard();
    this._announcer.dispose();
    this._progress.dispose();
    this._modelForm.dispose();
    this._changes.dispose();
    this.node.remove();
  }

  private _build(): void {
    this.node.setAttribute('role', 'region');
    const count = this.model.state.cell.execution_count;
    this.node.setAttribute('aria-label', count === null ? 'Reflex' : `Reflex, In [${count}]`);
    this.node.tabIndex = -1;
    const sections = [
      this._header,
      { node: this._unfold },
      this._alternatives,
      this._changes,
      this._reasons,
      this._others,
      this._attempts,
      this._progress,
      this._notices,
      this._stale,
      this._steps,
      this._mended
    ];
    this._footer.append(this._actions.node, this._ask.node);
    const below = [this._footer, this._modelForm.node, this._announcer.node];
    this.node.append(...sections.map(section => section.node), ...below);
    this._unguard = guardKeys(this.node, { run: () => this.accept(true), leave: () => this._leave() });
    this.node.addEventListener('focusout', () => delete this.node.dataset.awaits);
    // Not "pointerenter": it also comes when the panel appears where the pointer happens to rest.
    for (const event of ['pointermove', 'focusin']) {
      this.node.addEventListener(event, () => {
        this.model.choices.touched = true;
      });
    }
  }

  private _draw(): void {
    const { state } = this.model;
    const { fix, open, working, picture } = this._at;
    const shown = this._at.choosing ? null : fix;
    const local = this.model.local?.awaited ? 'deciding' : this.model.local?.kind;
    this.node.dataset.phase = local ?? (picture ? 'picture' : state.phase);
    this.node.classList.toggle('rx-brief', fix === null && !working);
    this.node.classList.toggle('rx-folded', this._at.folded);
    this._unfold.hidden = !this._at.folded;
    this._alternatives.update(this._at.choosing ? state : null, open);
    this._changes.update(shown, open, picture);
    this._followText();
    const reviewed = (open || picture) && shown ? shown : null;
    this._reasons.update(reviewed && this._reasonState(reviewed));
    this._others.update(state.fixes, open && !this._at.choice && !this._changes.edited ? shown : null);
    const copied = this._fixed.offered;
    const says = sayings(this._at, copied);
    const verdict = reviewed
      ? this._verdictState(reviewed)
      : lead(this._at.choosing ? undefined : says.shift(), this._at.undoable);
    this._header.update(state, {
      fix: shown,
      saved: picture,
      choice: this._at.choice,
      verdict,
      layout: open && shown && this._changes.turnable ? this._changes.layout : null
    });
    this._progress.update(this.model.decided ? '' : working, this.model.text, this._at.live);
    this._attempts.update(this.model.decided ? [] : state.attempts, working !== '');
    this._notices.update(says, copied);
    this._stale.update(this._at.live && !this.model.local ? state.stale : []);
    this._drawSteps(this._at.live && !this.model.decided && !working);
    this._mended.update(this._at.answer, open);
    const decides = open && !this._at.changedByHand; // a text of the user's own is run, not decided on
    this._actions.update(decides ? (shown ? this._actionState(shown) : state.fixes.length) : null);
    this._announcer.say(heard(this._at, this._changes.edited, verdict?.verdict.text ?? ''));
  }

  /** What can be done besides deciding; `idle`: nobody is at work, and nothing is decided. */
  private _drawSteps(idle: boolean): void {
    const steps = idle ? this.model.state : null;
    const lost = this._steps.update(steps);
    const closed = this._modelForm.update(steps?.chooses_model ?? null);
    this._ask.update(this.model.state, idle, this.model.modelChoice.open);
    if (closed) {
      this._leaveModelForm();
    } else if (lost) {
      this.focus();
    }
  }

  private _reasonState(fix: FixView): ReasonState {
    const choices = this.model.choices.of(fix);
    const counts = this._at.live && !this._changes.edited;
    return { fix: this._at.live ? fix : words.withoutPraise(fix), choices, seen: counts };
  }

  private _verdictState(fix: FixView): VerdictState {
    if (!this._at.live) {
      return { verdict: words.unvouched(this._at.host.standing()), triable: false };
    }
    return this._changes.edited
      ? { verdict: this.model.ownText.verdict, triable: false }
      : { verdict: fix.verdict, triable: fix.triable && !this._at.working };
  }

  private _actionState(fix: FixView): ActionState {
    return {
      fix,
      choices: this.model.choices.of(fix),
      runOptions: this._runOptions(fix),
      editable: this._changes.editable,
      edited: this._changes.edited,
      fails: this._verdictState(fix).verdict.tone === 'bad',
      blocked: this._at.blocked(fix),
      running: this.model.state.running
    };
  }

  /** The options to choose from. */
  private _runOptions(fix: FixView): readonly RunOptionView[] {
    return this._changes.edited ? fix.run_options.map(words.edited) : fix.run_options;
  }

  /** Has the shown fix tried again as the user has changed it. */
  private _followText(): void {
    const { fix } = this._at;
    const sources = fix && this.open && this._changes.edited ? this._changes.sources() : null;
    if (fix) {
      this.model.ownText.follow(fix, sources, () => this._wishes.tryText(fix, sources ?? []));
    }
  }

  private _try(): void {
    if (this._at.fix) {
      this._wishes.tryFix(this._at.fix);
    }
  }

  private _turnPage(by: number): void {
    const { fixes } = this.model.state;
    const next = this._at.fix && fixes[fixes.indexOf(this._at.fix) + by];
    if (next) {
      this._show(next);
    }
  }

  private _show(fix: FixView): void {
    this.model.choices.show(fix);
    this.model.changed();
  }

  private _pick(fix: FixView): void {
    this.model.choices.pick(fix);
    this._toldWhich();
  }

  private _back(): void {
    this.model.choices.picked = false;
    this._toldWhich();
  }

  /** Draws what was chosen; the keyboard stays in the panel though the button that had it is gone. */
  private _toldWhich(): void {
    this.model.changed();
    this.focus();
  }

  private _open(): void {
    this.model.choices.unfolded = true;
    this.model.changed();
    this.focus();
  }

  /** What had the keyboard is gone: the cell gets it where all is decided. */
  private _giveBack(): void {
    if (this.model.decided) {
      this._leave();
    } else {
      this.focus();
    }
  }

  /** Gives the cell the keyboard; where no cell is in reach the panel itself keeps it. */
  private _leave(): void {
    if (!this._host.toCell()) {
      this.node.focus({ preventScroll: true });
    }
  }

  /** The form that had the keyboard is gone: the button that opened it gets it, or what there is to ask now. */
  private _leaveModelForm(): void {
    if (!this._ask.focus()) {
      this.focus();
    }
  }

  private _turn(): void {
    this._changes.setLayout(this._changes.layout === 'split' ? 'unified' : 'split');
    this.update();
  }

  /** Takes the edits back, and leaves the panel: a key that is meant for the cell would accept what was proposed. */
  private _discard(): void {
    this._changes.discard();
    this._leave();
  }

  private _setRead(read: boolean): void {
    if (this._at.fix) {
      this.model.choices.of(this._at.fix).read = read;
      this.update();
    }
  }

  private readonly _header = new Header({
    leaf: by => this._turnPage(by),
    back: () => this._back(),
    tryIt: () => this._try(),
    undo: () => this._host.accept(this._wishes.undoing()),
    turn: () => this._turn()
  });
  private readonly _unfold = button(
    'Expected to fail · Show',
    'Show what Reflex knows of this failure',
    'rx-quiet rx-unfold',
    () => this._open()
  );
  private readonly _alternatives = new Alternatives(fix => this._pick(fix));
  private readonly _changes: Changes;
  private readonly _reasons = new Reasons();
  private readonly _others = new OtherFixes(fix => this._show(fix));
  private readonly _attempts = new Attempts();
  private readonly _progress = new Progress(() => this._wishes.cancel());
  private readonly _notices = new Notices(() => this._fixed.copy());
  private readonly _mended = new Mended(() => this._decisions.resume());
  private readonly _actions: Actions;
  private readonly _footer = h('footer', 'rx-footer');
  private readonly _announcer: Announcer;
  private readonly _at: Standpoint;
  private readonly _fixed: FixedSource;
  private readonly _decisions: Decisions;
  private readonly _wishes: Wishes;
  private readonly _steps: NextSteps;
  private readonly _stale: Stale;
  private readonly _modelForm: ModelForm;
  private readonly _ask: AskBar;
  private readonly _unsubscribe: () => void;
  private _unguard: () => void = () => undefined;
  private _wasDecided = false;
}

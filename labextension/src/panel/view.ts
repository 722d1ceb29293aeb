/** The panel: draws a repair, and turns clicks into decisions. The same in every host. */

import type { Resumable } from '../messages';
import type { FixView, Notice, RunOptionView } from '../state';
import { type ActionState, Actions, asks } from './actions';
import { Alternatives } from './alternatives';
import { AskBar } from './ask';
import { Changes } from './changes';
import { copy } from './clipboard';
import { button, h } from './dom';
import { Header } from './header';
import type { Host, Obstacle } from './host';
import { guardKeys } from './keys';
import { Mended } from './mended';
import { ModelForm } from './modelform';
import { NextSteps } from './nextsteps';
import { Notices } from './notices';
import { Progress } from './progress';
import { type ReasonState, Reasons } from './reasons';
import type { RepairModel } from './repair';
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
    this._changes = new Changes(_host, model.choices, () => this.update());
    this._wishes = new Wishes(model, _host);
    this._modelForm = new ModelForm(
      model.modelChoice,
      message => this._wishes.send(message),
      () => this._leaveModelForm()
    );
    this._steps = new NextSteps(
      name => this._wishes.choose(name),
      _host.goTo,
      () => this._modelForm.toggle()
    );
    this._ask = new AskBar(model.choices, (hint, allow) => this._wishes.ask(hint, allow));
    this._actions = new Actions(
      {
        accept: (run, whole) => this._accept(run, whole),
        reject: () => this.reject(),
        edit: () => this._changes.edit(),
        discard: () => this._changes.discard(),
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
    return this.model.open && this._live && this._fix !== null;
  }

  /** Draws what has changed. Hosts call it when what they know of the cell or the kernel has changed. */
  update(): void {
    const { state } = this.model;
    const fix = this._fix;
    const open = this.open;
    const working = this._working;
    const picture = this._picture;
    const shown = this._choosing ? null : fix;
    const local = this.model.local?.awaited ? 'deciding' : this.model.local?.kind;
    this.node.dataset.phase = local ?? (picture ? 'picture' : state.phase);
    this.node.classList.toggle('rx-brief', fix === null && !working);
    this.node.classList.toggle('rx-folded', this._folded);
    this._unfold.hidden = !this._folded;
    this._alternatives.update(this._choosing ? state : null, open);
    this._changes.update(shown, open, picture);
    this._followText();
    const reviewed = (open || picture) && shown ? shown : null;
    this._reasons.update(reviewed && this._reasonState(reviewed));
    const says = this._says();
    const verdict = reviewed
      ? this._verdictState(reviewed)
      : lead(this._choosing ? undefined : says.shift(), this._undoable);
    this._header.update(state, {
      fix: shown,
      saved: picture,
      choice: this._choice,
      verdict,
      layout: open && shown && this._changes.turnable ? this._changes.layout : null
    });
    this._progress.update(this.model.decided ? '' : working, this.model.text, this._live);
    this._notices.update(says, this._offersCopy());
    const steps = this._live && !this.model.decided && !working ? state : null;
    const lost = this._steps.update(steps);
    const closed = this._modelForm.update(steps);
    this._steps.expand(this.model.modelChoice.open);
    this._mended.update(this._answer, open);
    const decides = open && !this._changedByHand; // a text of the user's own is run, not decided on
    this._actions.update(decides ? (shown ? this._actionState(shown) : state.fixes.length) : null);
    this._ask.update(state, this._live && !this.model.decided && !working, true);
    if (closed) {
      this._leaveModelForm();
    } else if (lost) {
      this.focus();
    }
  }

  /** Whether there is something that the user has to answer before the shown fix can be accepted so. */
  asks(run: boolean): boolean {
    if (!this.open || this._fix === null) {
      return false;
    }
    return this._folded || this._choosing || (run && asks(this._actionState(this._fix)));
  }

  /** Gives the panel the keyboard: what is to be answered, if there is something. */
  focus(): void {
    if (this.open && this._choosing) {
      this._alternatives.focus();
    } else {
      this.node.focus({ preventScroll: true });
    }
  }

  /** Accepts the shown fix, if that is possible just now; what has to be answered first gets the keyboard instead. */
  accept(run: boolean): void {
    if (this._folded) {
      this._open();
    } else if (this.open && this._choosing) {
      this.focus();
    } else if (this._fix && this.asks(run)) {
      this._actions.ask(this._actionState(this._fix));
    } else {
      this._accept(run, false);
    }
  }

  reject(): void {
    const fix = this._fix;
    if (fix && this.open) {
      this.model.decide({
        kind: 'rejected',
        request: '',
        run: false,
        awaited: false,
        accepted: null,
        elsewhere: false
      });
      this._wishes.reject();
    }
  }

  dispose(): void {
    this._unsubscribe();
    this._unguard();
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
      this._progress,
      this._notices,
      this._steps,
      this._modelForm,
      this._mended
    ];
    const footer = h('footer', 'rx-footer', this._actions.node, this._ask.node);
    this.node.append(...sections.map(section => section.node), footer);
    this._unguard = guardKeys(this.node, () => this.accept(true));
    // Not "pointerenter": it also comes when the panel appears where the pointer happens to rest.
    for (const event of ['pointermove', 'focusin']) {
      this.node.addEventListener(event, () => {
        this.model.choices.touched = true;
      });
    }
  }

  private get _fix(): FixView | null {
    return this.model.choices.shown(this.model.state.fixes);
  }

  /** Whether the kernel vouches for what is drawn. */
  private get _live(): boolean {
    return this._host.standing() === 'live';
  }

  /** Whether there is a fix that only can be looked at. */
  private get _picture(): boolean {
    return !this._live && this.model.open && this._fix !== null;
  }

  /** Whether several things may be meant, and it is not decided which. */
  private get _choice(): boolean {
    return this.model.state.question !== '' && (this.open || this._picture);
  }

  /** Whether the user still has to say which. */
  private get _choosing(): boolean {
    return this._choice && !this.model.choices.picked;
  }

  /** Whether it is one line, as the cell was meant to fail, until somebody opens it. */
  private get _folded(): boolean {
    return this.model.state.quiet && !this.model.choices.unfolded && !this.model.decided;
  }

  /** What the kernel says of the cell's present text, where the user has changed it. */
  private get _answer(): Resumable | null {
    const { decided, mended } = this.model;
    const text = this._live && !decided && mended !== null ? this._host.source() : null;
    const says = mended !== null && (mended.label !== '' || mended.words !== '');
    return text !== null && says && mended.source === text ? mended : null;
  }

  /** Whether the user has changed the failed cell, so that no fix fits it. */
  private get _changedByHand(): boolean {
    const obstacle = this._obstacle();
    return obstacle?.why === 'source-changed' && obstacle.cell === '';
  }

  /** Whether a decision can be taken back here: only a page that rewrites cells can. */
  private get _undoable(): boolean {
    const { local, state } = this.model;
    const decided = state.phase === 'accepted' || state.phase === 'rejected';
    return this._live && local === null && decided && !this._host.offersCopy;
  }

  /** Who is at work; nobody is at work on a picture. */
  private get _working(): string {
    return this._live ? this.model.state.working : '';
  }

  private _reasonState(fix: FixView): ReasonState {
    const choices = this.model.choices.of(fix);
    const counts = this._live && !this._changes.edited;
    return { fix: this._live ? fix : words.withoutPraise(fix), choices, seen: counts };
  }

  private _verdictState(fix: FixView): VerdictState {
    if (!this._live) {
      return { verdict: words.NOT_HERE, triable: false };
    }
    return this._changes.edited
      ? { verdict: this.model.ownText.verdict, triable: false }
      : { verdict: fix.verdict, triable: fix.triable && !this._working };
  }

  private _actionState(fix: FixView): ActionState {
    return {
      fix,
      choices: this.model.choices.of(fix),
      runOptions: this._runOptions(fix),
      editable: this._changes.editable,
      edited: this._changes.edited,
      blocked: this._blocked(fix)
    };
  }

  /** The options to choose from. */
  private _runOptions(fix: FixView): readonly RunOptionView[] {
    return this._changes.edited ? fix.run_options.map(words.edited) : fix.run_options;
  }

  /** The lines that are to be read, the most urgent one last: it is next to the buttons. */
  private _says(): Notice[] {
    const { state, local, refusal } = this.model;
    if (local) {
      return [words.decided(local)];
    }
    const abandoned = state.phase === 'searching' && !this._working;
    const said = abandoned ? words.SEARCH_ENDED : state.notice;
    const notice = said && this.model.elsewhere ? words.inAnotherTab(said) : said;
    if (this._picture) {
      return [words.picture(this._host.standing())].filter(line => line !== null);
    }
    if (!this.open) {
      const byHand = this._offersCopy() && this.model.accepted !== null ? words.BY_HAND : null;
      return [notice, byHand].filter(line => line !== null);
    }
    const obstacle = this._obstacle();
    const refused = refusal ? ({ text: refusal, tone: 'warning' } as const) : null;
    const told = this._changedByHand && this._answer !== null; // beside the button that resumes it
    const trouble = obstacle ? (told ? null : words.inTheWay(obstacle)) : refused;
    const better = this._fix && !this._choice ? words.better(this._fix, state.fixes) : null;
    const lines = [notice, better, trouble].filter(line => line !== null);
    return lines.filter((line, index) => lines.findIndex(other => other.text === line.text) === index);
  }

  private _blocked(fix: FixView): boolean {
    return fix.refused !== '' || this._host.obstacle(fix) !== null;
  }

  private _obstacle(): Obstacle | null {
    return this._fix && this._host.obstacle(this._fix);
  }

  private _offersCopy(): boolean {
    if (this._choosing || this._answer !== null || this._changedSources().length === 0) {
      return false;
    }
    const kept = this.open || (this.model.decided && this.node.dataset.phase === 'accepted');
    return (
      (this._host.offersCopy && this._live && kept) ||
      (this.open && (this.model.refusal !== null || (this._fix !== null && this._blocked(this._fix))))
    );
  }

  private _accept(run: boolean, whole: boolean): void {
    const fix = this._fix;
    if (!fix || !this.open || this._choosing || this._blocked(fix)) {
      return;
    }
    const sources = this._changes.edited ? this._changes.sources() : []; // before it is decided: nothing is edited then
    const message = this._wishes.acceptance(fix, sources, { run, whole });
    const accepted = { fix: fix.id, sources: this._changes.sources() };
    const awaited = !this._host.offersCopy;
    this.model.decide({
      kind: 'accepted',
      request: message.request,
      run,
      awaited,
      accepted,
      elsewhere: false
    });
    if (!this._host.accept(message)) {
      this.model.takeBack(words.refused('no-kernel'));
    }
  }

  /** Has the cell go on where it failed, as the user has changed it. */
  private _resume(): void {
    const answer = this._answer;
    if (!answer?.label) {
      return;
    }
    const message = this._wishes.resumption(answer.source);
    const decision = {
      kind: 'accepted',
      run: true,
      awaited: true,
      accepted: null,
      elsewhere: false
    } as const;
    this.model.decide({ ...decision, request: message.request });
    if (!this._host.accept(message)) {
      this.model.takeBack(words.refused('no-kernel'));
    }
  }

  /** Has the shown fix tried again as the user has changed it. */
  private _followText(): void {
    const fix = this._fix;
    const sources = fix && this.open && this._changes.edited ? this._changes.sources() : null;
    if (fix) {
      this.model.ownText.follow(fix, sources, () => this._wishes.tryText(fix, sources ?? []));
    }
  }

  private _try(): void {
    if (this._fix) {
      this._wishes.tryFix(this._fix);
    }
  }

  private _turnPage(by: number): void {
    const { fixes } = this.model.state;
    const next = this._fix && fixes[fixes.indexOf(this._fix) + by];
    if (next) {
      this.model.choices.show(next);
      this.model.changed();
    }
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

  /** The form that had the keyboard is gone: the button that opened it gets it, or what there is to ask now. */
  private _leaveModelForm(): void {
    if (!this._steps.focusModel() && !this._ask.focus()) {
      this.focus();
    }
  }

  private _turn(): void {
    this._changes.setLayout(this._changes.layout === 'split' ? 'unified' : 'split');
    this.update();
  }

  private _setRead(read: boolean): void {
    if (this._fix) {
      this.model.choices.of(this._fix).read = read;
      this.update();
    }
  }

  private _copy(): Promise<boolean> {
    return copy(this._changedSources().join('\n\n'));
  }

  /** The new texts that the fix gives to cells: none, if it only installs something or runs other cells. */
  private _changedSources(): readonly string[] {
    const sources = this.model.accepted?.sources ?? this._changes.sources();
    const edits = this._fix?.edits ?? [];
    return sources.filter((source, index) => source !== edits[index]?.expected);
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
  private readonly _progress = new Progress(() => this._wishes.cancel());
  private readonly _notices = new Notices(() => this._copy());
  private readonly _mended = new Mended(() => this._resume());
  private readonly _actions: Actions;
  private readonly _wishes: Wishes;
  private readonly _steps: NextSteps;
  private readonly _modelForm: ModelForm;
  private readonly _ask: AskBar;
  private readonly _unsubscribe: () => void;
  private _unguard: () => void = () => undefined;
}

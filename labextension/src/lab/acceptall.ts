/**
 * Accepting all fixes of a notebook that are proven, from its top to its end. What one has changed may be what the next
 * one needs, or what spoils it: so each is tried once more on the state that is there when its turn comes.
 */

import type { NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import { newId } from '../panel/newid';
import { brief, objection } from '../panel/proven';
import type { RepairModel } from '../panel/repair';
import type { Notice } from '../state';
import { drawnPanel } from './bringintoview';
import type { KernelLink } from './link';
import { nameOf, type OpenRepair, openRepairs } from './openrepairs';
import type { Panels } from './panels';

const GONE = 'the kernel does not know it any more';

/** What ends it before its end: in words, behind the name of a cell. */
class Stopped extends Error {}

/** Those that can be accepted so. */
export function provenOf(open: readonly OpenRepair[]): OpenRepair[] {
  return open.filter(({ model }) => objection(model) === '');
}

export class AcceptAll {
  readonly changed = new Signal<this, void>(this);
  /** In which notebook it is under way; null: it is not. */
  working: NotebookPanel | null = null;
  /** What is being done, or what came of it; null: nothing yet. */
  said: Notice | null = null;

  constructor(private _panels: Panels) {}

  /** What has come of the last one is not said any more. */
  forget(): void {
    if (!this.working) {
      this.said = null;
    }
  }

  /** Ends it after the cell that is under way. */
  stop(): void {
    this._stops = true;
    this._say('Stops after this cell.', 'plain');
  }

  async start(panel: NotebookPanel, link: KernelLink): Promise<void> {
    if (this.working) {
      return;
    }
    this.working = panel;
    this._stops = false;
    const all = provenOf(openRepairs(panel, link));
    let done = 0;
    let name = '';
    try {
      for (const open of all) {
        if (this._stops) {
          break;
        }
        name = nameOf(open);
        await this._accept(open, panel, link, words => this._say(`${name}: ${words}`, 'plain'));
        done += 1;
      }
      this.working = null;
      if (done === all.length) {
        this._say(
          done === 1 ? 'The fix was accepted and ran.' : `All ${done} fixes were accepted and ran.`,
          'good'
        );
      } else {
        this._say(`Stopped after ${done} of ${all.length} fixes.`, 'plain');
      }
    } catch (reason) {
      this.working = null;
      const why = reason instanceof Stopped ? reason.message : `something of Reflex itself failed: ${reason}`;
      const before = done === 0 ? 'None was' : `${done} of ${all.length} ${done === 1 ? 'was' : 'were'}`;
      this._say(`Stopped at ${name}: ${why.replace(/\.$/, '')}. ${before} accepted before.`, 'warning');
    }
  }

  private async _accept(
    open: OpenRepair,
    panel: NotebookPanel,
    link: KernelLink,
    say: (words: string) => void
  ): Promise<void> {
    const { model, cell } = open;
    say('being tried on what is there now…');
    await this._tryAgain(model, link);
    const found = await drawnPanel(panel, this._panels, model.state.repair, cell);
    const view = found?.view;
    if (!view?.open) {
      throw new Stopped('its panel could not be shown');
    }
    const why = view.obstacle || objection(model);
    if (why) {
      throw new Stopped(why);
    }
    say('runs…');
    view.accept(true);
    if (!model.decided) {
      throw new Stopped(model.refusal ?? 'it could not be accepted');
    }
    await until(model, link, () => hasRun(model));
  }

  /** Has the fix tried in a copy of the kernel as it is now; what was known of it before does not count. */
  private async _tryAgain(model: RepairModel, link: KernelLink): Promise<void> {
    const { session, repair, fixes } = model.state;
    const fix = model.choices.shown(fixes);
    const request = newId();
    let began = false;
    let declined = '';
    const hear = (_: unknown, message: { request: string; reason: string }) => {
      declined = message.request === request ? message.reason : declined;
      model.changed();
    };
    if (!fix || objection(model) !== '') {
      throw new Stopped(objection(model));
    }
    link.declined.connect(hear);
    try {
      if (!link.send({ type: 'try-again', session, repair, request, fix: fix.id })) {
        throw new Stopped('no kernel answers');
      }
      await until(model, link, () => {
        if (declined) {
          throw new Stopped(declined);
        }
        began ||= model.state.working !== '';
        return model.decided || (began && !model.state.working);
      });
    } finally {
      link.declined.disconnect(hear);
    }
    model.choices.show(fix); // with what came of it, another one may stand before it
    if (objection(model) !== '') {
      throw new Stopped(objection(model));
    }
  }

  private _say(text: string, tone: Notice['tone']): void {
    this.said = { text, tone };
    this.changed.emit();
  }

  private _stops = false;
}

/** Whether an accepted fix has run without an error. */
function hasRun({ local, refusal, state }: RepairModel): boolean {
  if (local) {
    return false; // it waits for its turn
  }
  if (state.phase !== 'accepted') {
    throw new Stopped(refusal ?? state.notice?.text ?? 'it was not accepted');
  }
  if (state.notice?.tone === 'bad' || state.notice?.tone === 'warning') {
    throw new Stopped(brief(state.notice.text.replace(/^Accepted; /, '')));
  }
  return state.notice?.tone === 'good';
}

/** Waits until it holds; what it throws, and the end of the kernel, ends that. */
function until(model: RepairModel, link: KernelLink, holds: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      try {
        if (link.repairs.get(model.state.repair) !== model) {
          throw new Stopped(GONE);
        }
        if (!holds()) {
          return;
        }
        resolve();
      } catch (reason) {
        reject(reason);
      }
      unfollow();
      link.changed.disconnect(look);
      link.disposed.disconnect(look);
    };
    const unfollow = model.onChange(look);
    link.changed.connect(look);
    link.disposed.connect(look);
    look();
  });
}

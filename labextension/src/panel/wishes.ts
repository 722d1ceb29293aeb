/** What the panel of a repair asks of the kernel. */

import type { Accept, Resume, Undo } from '../frompage';
import type { FixView } from '../state';
import type { FromModelForm, Host } from './host';
import { newId } from './newid';
import type { RepairModel } from './repair';

/** How an accepted fix is to run. */
export type How = Pick<Accept, 'run' | 'whole'>;

/** A message that does not say yet which repair it is about. */
export type WithoutName<T> = T extends unknown ? Omit<T, 'session' | 'repair'> : never;

export class Wishes {
  constructor(
    private _model: RepairModel,
    private _host: Host
  ) {}

  /** What an acceptance says; `sources`: the texts that the user has made of it, empty where it is as proposed. */
  acceptance(shown: FixView, sources: string[], how: How): Accept {
    const { read } = this._model.choices.of(shown);
    const message = { ...this._name, request: newId(), client: '', shown, sources, ...how, read };
    return { type: 'accept', ...message, at_once: false };
  }

  /** What the wish says that the cell goes on where it failed, with the text that the user has given it. */
  resumption(source: string): Resume {
    return { type: 'resume', ...this._name, request: newId(), client: '', source };
  }

  /** What takes the decision back. */
  undoing(): Undo {
    return { type: 'undo', ...this._name, request: newId(), client: '' };
  }

  reject(): void {
    this._host.send({ type: 'reject', ...this._name });
  }

  tryFix(fix: FixView): void {
    this._host.send({ type: 'try', ...this._name, fix: fix.id });
  }

  /** Has a text of the user's own tried; gives the name under which the kernel answers. */
  tryText(fix: FixView, sources: string[]): string {
    const request = newId();
    this._host.send({ type: 'try-text', ...this._name, request, fix: fix.id, sources });
    return request;
  }

  /** The fix that comes of it is what the user waits for. */
  choose(name: string): void {
    this._model.choices.awaiting = true;
    this._host.send({ type: 'choose', ...this._name, name });
  }

  /** `allow`: the host that the button has named. */
  ask(hint: string, allow: string): void {
    this._model.choices.awaiting = true;
    this._host.send({ type: 'ask', ...this._name, hint, allow });
  }

  /** What the form for choosing a model says. */
  send(message: WithoutName<FromModelForm>): boolean {
    return this._host.send({ ...message, ...this._name } as FromModelForm);
  }

  cancel(): void {
    this._host.send({ type: 'cancel', ...this._name });
  }

  /** Which repair is meant, and of which session of the kernel. */
  private get _name() {
    const { session, repair } = this._model.state;
    return { session, repair };
  }
}

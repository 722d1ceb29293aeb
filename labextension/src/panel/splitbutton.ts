/** The button that accepts and runs, and beside it the menu with what is rarer. */

import { button, h, setText } from './dom';

export class SplitButton {
  readonly node: HTMLElement;

  /** `key`: the shortcut in words, shown on the button; empty for none. */
  constructor(
    key: string,
    private _title: string,
    run: () => void,
    accept: () => void
  ) {
    this._run = button('', _title, 'rx-accept-run', run);
    this._key = h('kbd', 'rx-key', key);
    this._key.setAttribute('aria-hidden', 'true'); // the name of the button is what it does
    this._run.append(this._label, this._key);
    this._accept = button(
      'Accept without running',
      'Rewrite the cell with this fix, and leave it to you when it runs',
      'rx-quiet rx-accept',
      () => {
        this._menu.hidePopover();
        accept();
      }
    );
    this._menu.popover = 'auto';
    this._menu.append(this._accept);
    this._more = button('▾', 'Other ways to accept', 'rx-more', () => this._menu.togglePopover());
    this._more.setAttribute('aria-label', 'Other ways to accept');
    this._more.setAttribute('aria-haspopup', 'true');
    this._menu.addEventListener('toggle', () => this._place());
    this.node = h('span', 'rx-split', this._run, this._more, this._menu);
  }

  /** Draws it. `label`: what running does; `runs`, `accepts`: whether it can run, and be accepted without a run;
   * `advised`: whether it is what most would do. */
  update(label: string, title: string, runs: boolean, accepts: boolean, advised: boolean): void {
    for (const each of [this._run, this._more]) {
      each.classList.toggle('rx-primary', advised);
    }
    setText(this._label, label);
    this._run.title = title || this._title;
    this._run.disabled = !runs;
    this._more.hidden = !accepts;
    if (!accepts && this._open) {
      this._menu.hidePopover();
    }
  }

  private get _open(): boolean {
    return this._menu.matches(':popover-open');
  }

  /** Below its button, or above it where there is no room. */
  private _place(): void {
    this._more.setAttribute('aria-expanded', String(this._open));
    if (!this._open) {
      return;
    }
    const { left, top, bottom } = this.node.getBoundingClientRect();
    const { width, height } = this._menu.getBoundingClientRect();
    const below = bottom + height <= window.innerHeight;
    this._menu.style.top = `${below ? bottom + 2 : top - height - 2}px`;
    this._menu.style.left = `${Math.max(0, Math.min(left, window.innerWidth - width))}px`;
    this._accept.focus({ preventScroll: true });
  }

  private readonly _label = h('span', 'rx-run-label');
  private readonly _key: HTMLElement;
  private readonly _menu = h('div', 'rx-menu');
  private readonly _run: HTMLButtonElement;
  private readonly _accept: HTMLButtonElement;
  private readonly _more: HTMLButtonElement;
}

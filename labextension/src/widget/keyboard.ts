/** Keeps the keyboard where it is: a front end draws a widget anew whenever its output is updated. */

import { hasKeyboard } from '../panel/focus';

/** Itself has the keyboard when what had it is gone. */
const PANEL = '.rx-panel';

type Field = HTMLInputElement | HTMLTextAreaElement;

function isField(element: Element | null): element is Field {
  return (
    element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text')
  );
}

/** Gives the cell around a widget the keyboard, where the page is one of Jupyter's; elsewhere no cell is in reach. */
export function toCell(within: Element): boolean {
  const cell = within.closest<HTMLElement>('.jp-Cell');
  cell?.focus({ preventScroll: true });
  return cell !== null && cell === document.activeElement;
}

export class Keyboard {
  /**
   * Gives the keyboard to the same control of a panel that was drawn anew, and remembers where it goes from there.
   * `lost` is told if that control can't be seen any more: the panel's state may have changed meanwhile.
   */
  follow(panel: HTMLElement, lost: (control: HTMLElement) => void): void {
    const again = this._path === PANEL ? panel : this._path && panel.querySelector<HTMLElement>(this._path);
    panel.addEventListener('focusin', event => this._note(event.target as Element));
    panel.addEventListener('focusout', () => requestAnimationFrame(() => this._left(panel)));
    if (again && document.activeElement === document.body) {
      requestAnimationFrame(() => this._return(panel, again, lost)); // the panel is in the page by then
    }
  }

  private _note(target: Element): void {
    const names = [...target.classList].map(name => `.${name}`);
    this._path = names.includes(PANEL) ? PANEL : names.join(''); // its other classes say how it stands
    this._field = isField(target) ? target : null;
  }

  /** The keyboard left a panel that is still there: by the user's wish, not because it was drawn anew. */
  private _left(panel: HTMLElement): void {
    if (panel.isConnected && !panel.contains(document.activeElement)) {
      this._path = '';
    }
  }

  private _return(panel: HTMLElement, control: HTMLElement, lost: (control: HTMLElement) => void): void {
    const before = this._field;
    control.focus({ preventScroll: true });
    if (!hasKeyboard(panel)) {
      lost(control);
    }
    if (before && isField(control)) {
      control.setSelectionRange(before.selectionStart, before.selectionEnd);
    }
  }

  private _path = '';
  private _field: Field | null = null;
}

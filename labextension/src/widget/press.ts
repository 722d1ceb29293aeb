/** Keeps a click whole: a front end may draw a widget anew between the press of a button and its release. */

const CLICKED = 'button, summary, label, input[type="checkbox"]';
/** The key that clicks when it is let go of; Enter does so when it is pressed. */
const KEY = ' ';

/** What an event presses. */
function pressedBy(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>(CLICKED) : null;
}

export class Press {
  /** Clicks what was pressed in this widget as it was drawn before, and is let go of in this panel. */
  follow(panel: HTMLElement): void {
    panel.addEventListener('pointerdown', event => {
      this._pressed = event.button === 0 ? pressedBy(event) : null;
    });
    panel.addEventListener('pointerup', event => this._release(pressedBy(event)));
    panel.addEventListener('keydown', event => {
      this._pressed = event.key === KEY ? pressedBy(event) : null;
    });
    panel.addEventListener('keyup', event => this._release(event.key === KEY ? pressedBy(event) : null));
  }

  /** The browser clicks what is still there; what looks different now was not meant. */
  private _release(control: HTMLElement | null): void {
    const pressed = this._pressed;
    this._pressed = null;
    if (!pressed || !control || pressed.isConnected || control.matches(':disabled')) {
      return;
    }
    if (control.className === pressed.className && control.textContent === pressed.textContent) {
      control.click();
    }
  }

  private _pressed: HTMLElement | null = null;
}

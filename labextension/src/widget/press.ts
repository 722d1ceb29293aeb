/** Keeps a click whole: a front end may draw a widget anew between the press of a button and its release. */

/** The button of a panel that an event is about. */
function buttonOf(event: Event): HTMLButtonElement | null {
  return event.target instanceof Element ? event.target.closest('button') : null;
}

export class Press {
  /** Does what a button does that was pressed in this widget as it was drawn before, and is let go of in this panel. */
  follow(panel: HTMLElement): void {
    panel.addEventListener('pointerdown', event => {
      this._pressed = event.button === 0 ? buttonOf(event) : null;
    });
    panel.addEventListener('pointerup', event => this._release(event));
  }

  /** The browser clicks what is still there; what looks different now was not meant. */
  private _release(event: PointerEvent): void {
    const pressed = this._pressed;
    const button = buttonOf(event);
    this._pressed = null;
    if (!pressed || !button || pressed.isConnected || button.disabled) {
      return;
    }
    if (button.className === pressed.className && button.textContent === pressed.textContent) {
      button.click();
    }
  }

  private _pressed: HTMLButtonElement | null = null;
}

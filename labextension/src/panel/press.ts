/** Keeps a click whole: between the press of a button and its release a panel may be drawn anew, or its lines move. */

const CLICKED = 'button, summary, label, input[type="checkbox"]';
/** The key that clicks when it is let go of; Enter does so when it is pressed. */
const KEY = ' ';
/** CSS pixels: who moves the pointer further from what was pressed has thought better of it. */
const NEAR = 8;

const ENDS = ['pointerup', 'pointercancel', 'pointerdown'] as const;

/** What an event presses. */
function pressedBy(event: Event): HTMLElement | null {
  const target = event.composedPath()[0];
  return target instanceof Element ? target.closest<HTMLElement>(CLICKED) : null;
}

function isNear(down: PointerEvent, up: PointerEvent): boolean {
  return Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) <= NEAR;
}

export class Press {
  /** Clicks what was pressed in this panel, or in the one that it is drawn anew for, and is let go of. */
  follow(panel: HTMLElement): void {
    panel.addEventListener('pointerdown', down => {
      this._begin(down.button === 0 ? pressedBy(down) : null);
      this._untilEnd(panel.ownerDocument, up => this._release(pressedBy(up), isNear(down, up)));
    });
    panel.addEventListener('keydown', event => this._begin(event.key === KEY ? pressedBy(event) : null));
    panel.addEventListener('keyup', event =>
      this._release(event.key === KEY ? pressedBy(event) : null, false)
    );
  }

  /** A press that has become a scroll, or whose end the page never saw, is none: the next one is not its release. */
  private _untilEnd(page: Document, release: (up: PointerEvent) => void): void {
    const listening = new AbortController();
    const end = (event: PointerEvent) => {
      listening.abort();
      if (event.type === 'pointerup') {
        release(event);
      } else {
        this._begin(null);
      }
    };
    for (const event of ENDS) {
      page.addEventListener(event, end, { capture: true, signal: listening.signal });
    }
  }

  private _begin(pressed: HTMLElement | null): void {
    this._pressed = pressed;
    this._said = pressed?.textContent ?? '';
  }

  /** The browser clicks what is still there and has not moved; what looks different now was not meant. */
  private _release(control: HTMLElement | null, near: boolean): void {
    const pressed = this._pressed;
    this._pressed = null;
    if (!pressed || (control && (control.contains(pressed) || pressed.contains(control)))) {
      return;
    }
    const meant = pressed.isConnected ? near && pressed : control;
    if (!meant || meant.matches(':disabled') || meant.getClientRects().length === 0) {
      return;
    }
    if (meant.className === pressed.className && meant.textContent === this._said) {
      meant.click();
    }
  }

  private _pressed: HTMLElement | null = null;
  private _said = '';
}

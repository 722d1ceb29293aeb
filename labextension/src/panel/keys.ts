/** Keys inside the panel are the panel's: pressed on a button, Lab's `d d` would delete the user's cell. */

const TEXT_KEYS = new Set(['a', 'c', 'v', 'x', 'y', 'z']);

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(':read-write');
}

/** Whether a combination means the text field that it was pressed in: undo, the clipboard, moving, deleting. */
function meansText(event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  // Lab takes a line break that comes right after a key that it has seen for one of its own, and swallows it.
  return event.key.length > 1 || (command && TEXT_KEYS.has(event.key.toLowerCase()));
}

function isRun(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && (event.ctrlKey || event.metaKey);
}

/** Whether it is a plain Escape that nothing has taken, and that does not end the choice of a character. */
function isEscape(event: KeyboardEvent): boolean {
  const combined = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
  return event.key === 'Escape' && !combined && !event.isComposing && !event.defaultPrevented;
}

/** Whether the page may see a key that was pressed inside the panel. */
function forPage(event: KeyboardEvent, target: EventTarget | null): boolean {
  const combined = event.ctrlKey || event.altKey || event.metaKey;
  return combined && !isRun(event) && !(isText(target) && meansText(event));
}

/** What keeps Lumino from taking a key for a shortcut. */
const SUPPRESS = 'data-lm-suppress-shortcuts';

/** Lumino tries its selectors on the key's target first, so the mark must be there too; an editor minds its own. */
function suppress(root: Element, target: Element, on: boolean): void {
  for (const element of isText(target) ? [root] : [root, target]) {
    element.toggleAttribute(SUPPRESS, on);
  }
}

export interface KeyHandlers {
  /** Ctrl-Enter or Cmd-Enter. */
  run: () => void;
  /** Escape, where nothing in the panel takes it: a menu that is open, a form, an editor with several cursors. */
  leave: () => void;
}

/**
 * Keeps the panel's keys in, and calls the handlers; returns what ends that.
 *
 * JupyterLab hears of a key after the panel. Notebook 7 hears of it before: it is told on the key's way down.
 */
export function guardKeys(root: HTMLElement, { run, leave }: KeyHandlers): () => void {
  const tell = (event: KeyboardEvent) => {
    const target = event.composedPath()[0];
    if (target instanceof Element && root.contains(target)) {
      suppress(root, target, !forPage(event, target));
    }
  };
  root.addEventListener(
    'keydown',
    event => {
      if (isRun(event)) {
        event.preventDefault();
        event.stopPropagation();
        run();
      }
    },
    true // before an editor takes it for a new line
  );
  root.addEventListener('keydown', event => {
    if (isEscape(event) && !root.querySelector(':popover-open')) {
      event.preventDefault();
      leave();
    }
    if (event.defaultPrevented || !forPage(event, event.target)) {
      event.stopPropagation();
    }
  });
  window.addEventListener('keydown', tell, true);
  return () => window.removeEventListener('keydown', tell, true);
}

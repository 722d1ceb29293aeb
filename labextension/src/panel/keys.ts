/** Keys inside the panel are the panel's: pressed on a button, Lab's `d d` would delete the user's cell. */

const TEXT_KEYS = new Set(['a', 'c', 'v', 'x', 'y', 'z']);

function isText(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return element?.closest?.('input, textarea, [contenteditable="true"]') != null;
}

/** Whether a combination means the text field that it was pressed in: undo, the clipboard, moving, deleting. */
function meansText(event: KeyboardEvent): boolean {
  const command = event.ctrlKey || event.metaKey;
  // Lab takes a line break that comes right after a key that it has seen for one of its own, and swallows it.
  return event.key.length > 1 || (command && TEXT_KEYS.has(event.key.toLowerCase()));
}

/** Whether the page may see a key that was pressed inside the panel. */
function passes(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || !(event.ctrlKey || event.altKey || event.metaKey)) {
    return false;
  }
  return !(isText(event.target) && meansText(event));
}

/** Keeps the panel's keys in, and calls `run` on Ctrl-Enter or Cmd-Enter. */
export function guardKeys(root: HTMLElement, run: () => void): void {
  root.addEventListener(
    'keydown',
    event => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        event.stopPropagation();
        run();
      }
    },
    true // before an editor takes it for a new line
  );
  root.addEventListener('keydown', event => {
    if (!passes(event)) {
      event.stopPropagation();
    }
  });
}

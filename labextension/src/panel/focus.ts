/** Where the keyboard is: what has it may be hidden or gone once the panel is drawn anew. */

/** Whether something in `root` has the keyboard, and can be seen to have it. */
export function hasKeyboard(root: Element): boolean {
  const { activeElement } = document;
  return (
    activeElement !== null &&
    root.contains(activeElement) &&
    activeElement.checkVisibility() &&
    !activeElement.matches(':disabled')
  );
}

/** What of the page is on the screen. */

const SCROLLS = /auto|scroll|hidden|clip/;

/** The part of the window's height in which `element` can be seen: what scrolls around it cuts the rest off. */
export function room(element: Element): [top: number, bottom: number] {
  let [top, bottom] = [0, window.innerHeight];
  // What is said of the body's scrolling holds for the window.
  for (
    let around = element.parentElement;
    around && around !== document.body;
    around = around.parentElement
  ) {
    if (SCROLLS.test(getComputedStyle(around).overflowY)) {
      const box = around.getBoundingClientRect();
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
  }
  return [top, bottom];
}

/** Whether `element` is seen down to where `end` begins, if that is shown: all of it, or as much as there is room for. */
export function inSight(element: Element, end: Element): boolean {
  if (!element.isConnected || !element.checkVisibility({ contentVisibilityAuto: true })) {
    return false;
  }
  const [top, bottom] = room(element);
  const { top: from, bottom: last } = element.getBoundingClientRect();
  const to = end.checkVisibility() ? end.getBoundingClientRect().top : last;
  const seen = Math.min(bottom, to) - Math.max(top, from);
  return bottom > top && seen >= Math.min(to - from, bottom - top) - 2; // a border, and half pixels
}

/** Where two texts differ. */

/** From `start` to `end` of the one text stands `text` in the other. */
export interface Difference {
  start: number;
  end: number;
  text: string;
}

/**
 * The shortest stretch of `before` in which it differs from `after`. Characters that are written as two (emoji) stay
 * whole: what the page shares its texts with can't hold the half of one.
 */
export function difference(before: string, after: string): Difference {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charAt(head) === after.charAt(head)) {
    head++;
  }
  while (head > 0 && isHalf(before, head - 1)) {
    head--;
  }
  let tail = 0;
  while (
    tail < most - head &&
    before.charAt(before.length - 1 - tail) === after.charAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  while (tail > 0 && isHalf(before, before.length - tail)) {
    tail--;
  }
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}

function isHalf(text: string, place: number): boolean {
  return /[\ud800-\udfff]/.test(text.charAt(place));
}

/** Which old line became which new one, where the two sides of a change have several. */

import { diff } from '@codemirror/merge';

/** Pairs of lines that are compared at most: it is done at each key that is pressed. */
const MOST = 500;

/** The numbers of an old line and of the new one that stands for it, from 0 on. */
export type LinePair = readonly [number, number];

/** In their order, so that the least has changed; a line with less than half in common with any has no other. */
export function linePairs(before: readonly string[], after: readonly string[]): LinePair[] {
  if (before.length * after.length > MOST) {
    return before.slice(0, after.length).map((_, index) => [index, index] as const);
  }
  const costs = table(before, after);
  const pairs: LinePair[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [old, now] = [before[i] ?? '', after[j] ?? ''];
    const here = costs[i]?.[j];
    if (here === changed(old, now) + (costs[i + 1]?.[j + 1] ?? 0)) {
      pairs.push([i++, j++]);
    } else if (here === gone(now) + (costs[i]?.[j + 1] ?? 0)) {
      j++;
    } else {
      i++;
    }
  }
  return pairs;
}

/** What is to be changed at least from each old and each new line on, in characters. */
function table(before: readonly string[], after: readonly string[]): number[][] {
  const costs = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number) => costs[i]?.[j] ?? 0;
  for (let i = before.length; i >= 0; i--) {
    for (let j = after.length; j >= 0; j--) {
      const [old, now] = [before[i], after[j]];
      const ways = [
        ...(old === undefined ? [] : [gone(old) + at(i + 1, j)]),
        ...(now === undefined ? [] : [gone(now) + at(i, j + 1)]),
        ...(old === undefined || now === undefined ? [] : [changed(old, now) + at(i + 1, j + 1)])
      ];
      const row = costs[i];
      if (row && ways.length > 0) {
        row[j] = Math.min(...ways);
      }
    }
  }
  return costs;
}

/** The characters of a line that has no other, with its end. */
function gone(line: string): number {
  return line.length + 1;
}

function changed(old: string, now: string): number {
  if (old === now) {
    return 0;
  }
  const characters = diff(old, now, { scanLimit: MOST }).reduce(
    (sum, { fromA, toA, fromB, toB }) => sum + toA - fromA + toB - fromB,
    0
  );
  return characters * 2 <= old.length + now.length ? characters : Number.POSITIVE_INFINITY;
}

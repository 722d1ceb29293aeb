/**
 * What is marked in changed lines: the merge view joins marks that are near each other, over the end of a line as well.
 * Here each line has its own: those of its change into another line, or all of it where it has no other.
 */

import { Change, type Chunk, presentableDiff } from '@codemirror/merge';
import type { Text } from '@codemirror/state';
import { linePairs } from './linepairs';

/** Those that were looked at: a change that has only moved keeps its marks. */
const seen = new WeakSet<readonly Change[]>();

/** Gives the changes in `chunks` their own marks, before they are drawn. The merge view has no other way to be told. */
export function markByLine(chunks: readonly Chunk[], before: Text, after: Text): void {
  for (const { changes, fromA, endA, fromB, endB, toA, toB } of chunks) {
    if (seen.has(changes) || fromA === toA || fromB === toB) {
      continue;
    }
    seen.add(changes);
    const [old, now] = [before.sliceString(fromA, endA), after.sliceString(fromB, endB)];
    if (changes.some(one => /\n/.test(old.slice(one.fromA, one.toA) + now.slice(one.fromB, one.toB)))) {
      (changes as Change[]).splice(0, changes.length, ...byLine(old.split('\n'), now.split('\n')));
    }
  }
}

function byLine(before: string[], after: string[]): Change[] {
  const [inOld, inNew] = [starts(before), starts(after)];
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  /** All lines up to these have no other. */
  const alone = (oldLine: number, newLine: number) => {
    if (i < oldLine || j < newLine) {
      changes.push(new Change(at(inOld, i), at(inOld, oldLine), at(inNew, j), at(inNew, newLine)));
    }
  };
  for (const [oldLine, newLine] of linePairs(before, after)) {
    alone(oldLine, newLine);
    const [a, b] = [at(inOld, oldLine), at(inNew, newLine)];
    for (const { fromA, toA, fromB, toB } of presentableDiff(before[oldLine] ?? '', after[newLine] ?? '')) {
      changes.push(new Change(a + fromA, a + toA, b + fromB, b + toB));
    }
    [i, j] = [oldLine + 1, newLine + 1];
  }
  alone(before.length, after.length);
  return changes;
}

/** Where each line begins, and one more would. */
function starts(lines: string[]): number[] {
  let next = 0;
  return [0, ...lines.map(line => (next += line.length + 1))];
}

function at(places: number[], line: number): number {
  return places[line] ?? 0;
}

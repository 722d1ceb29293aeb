/** What a fix changes, in a few lines: several fixes are told apart by it. The whole diff is shown for the chosen one. */

import type { EditView, FixView, Hunk, Line, Span } from '../state';
import { h } from './dom';
import { firstRuns } from './firstruns';
import { unifiedRows } from './rows';

/** Lines of one fix. */
const MOST = 6;
/** Characters of a line. */
const LONGEST = 160;
/** Characters that are kept before what has changed in a long line. */
const BEFORE = 40;

const MORE: Span = { text: '…', token: '', changed: false };

/** What is seen as one each: no emoji is cut in two. */
function letters(text: string): string[] {
  return Array.from(text);
}

function length(line: Line): number {
  return line.reduce((sum, span) => sum + letters(span.text).length, 0);
}

/** A line's part from one character to another. */
function part(line: Line, from: number, to: number): Line {
  let start = 0;
  return line.flatMap(span => {
    const all = letters(span.text);
    const text = all.slice(Math.max(0, from - start), Math.max(0, to - start)).join('');
    start += all.length;
    return text ? [{ ...span, text }] : [];
  });
}

/** What has changed in a line stays in sight, and what is near it. */
function cut(line: Line): Line {
  const changed = Math.max(
    0,
    line.findIndex(span => span.changed)
  );
  const where = length(line.slice(0, changed));
  const from = where > LONGEST / 2 ? where - BEFORE : 0;
  const to = from + LONGEST;
  return [...(from > 0 ? [MORE] : []), ...part(line, from, to), ...(to < length(line) ? [MORE] : [])];
}

/** The new lines alone where each takes the place of an old one, which the cell above shows. */
function rows(hunk: Hunk): HTMLElement[] {
  const old = hunk.old.length === hunk.new.length ? [] : hunk.old.slice(0, MOST);
  return unifiedRows({ ...hunk, old: old.map(cut), new: hunk.new.slice(0, MOST).map(cut) });
}

function isLong(hunk: Hunk): boolean {
  return Math.max(hunk.old.length, hunk.new.length) > MOST;
}

function lines(text: string): Line[] {
  return text.split('\n').map(line => [{ text: line, token: '', changed: false }]);
}

/** The lines that a saved panel has on one side only. */
function excerpt({ expected, source }: EditView): Hunk {
  const [before, after] = [expected.split('\n'), source.split('\n')];
  const only = (some: string[], other: string[]) =>
    lines(some.filter(line => !other.includes(line)).join('\n'));
  return { changed: true, old_start: 1, new_start: 1, old: only(before, after), new: only(after, before) };
}

function ofEdit(edit: EditView, several: boolean): HTMLElement[] {
  const changed = edit.hunks.length > 0 ? edit.hunks.filter(hunk => hunk.changed) : [excerpt(edit)];
  const drawn = changed.slice(0, MOST).flatMap(rows);
  const more = drawn.length > MOST || changed.length > MOST || changed.some(isLong);
  const label = several || edit.label ? [h('div', 'rx-label', edit.label || 'this cell')] : [];
  return [...label, ...drawn.slice(0, MOST), ...(more ? [h('div', 'rx-label', '⋯ and more lines')] : [])];
}

/** Its changed lines. */
export function shortDiff(fix: FixView): HTMLElement[] {
  const edits = fix.edits.filter(edit => edit.source !== edit.expected);
  if (edits.length === 0 && fix.first.length > 0) {
    return firstRuns(fix.first);
  }
  if (edits.length === 0) {
    return [h('div', 'rx-label', 'The text stays the same; it is run again.')];
  }
  return edits.slice(0, MOST).flatMap(edit => ofEdit(edit, fix.edits.length > 1));
}

/** Hunks as rows of elements: pure drawing. */

import type { Hunk, Line } from '../state';
import { h } from './dom';

/** How many equal lines are kept next to a change. */
const CONTEXT = 3;
/** Shorter runs than this are not worth folding. */
const FOLD_FROM = 4;

export function plain(line: Line): string {
  return line.map(span => span.text).join('');
}

function code(line: Line | undefined): HTMLElement {
  const spans = (line ?? []).map(span => {
    const look = `${span.token ? `rx-t-${span.token}` : ''}${span.changed ? ' rx-changed' : ''}`.trim();
    return look ? h('span', look, span.text) : span.text;
  });
  return h('code', 'rx-text', ...spans);
}

function half(kind: 'same' | 'old' | 'new' | 'none', number: number | null, line?: Line): HTMLElement {
  const sign = { same: ' ', old: '-', new: '+', none: ' ' }[kind];
  const gutter = h('span', 'rx-number', number === null ? '' : String(number));
  gutter.setAttribute('aria-hidden', 'true');
  return h('div', `rx-row rx-${kind}`, gutter, h('span', 'rx-mark', sign), code(line));
}

/** The rows of a changed hunk below each other: what goes, then what comes. */
export function unifiedRows(hunk: Hunk): HTMLElement[] {
  return [
    ...hunk.old.map((line, index) => half('old', hunk.old_start + index, line)),
    ...hunk.new.map((line, index) => half('new', hunk.new_start + index, line))
  ];
}

/** The rows of a hunk next to each other. */
export function splitRows(hunk: Hunk): HTMLElement[] {
  const count = Math.max(hunk.old.length, hunk.new.length);
  const side = (lines: Line[], start: number, kind: 'old' | 'new', index: number) =>
    index < lines.length
      ? half(hunk.changed ? kind : 'same', start + index, lines[index])
      : half('none', null);
  return Array.from({ length: count }, (_, index) =>
    h(
      'div',
      'rx-pair',
      side(hunk.old, hunk.old_start, 'old', index),
      side(hunk.new, hunk.new_start, 'new', index)
    )
  );
}

function equalRows(hunk: Hunk, split: boolean): HTMLElement[] {
  return split ? splitRows(hunk) : hunk.new.map((line, index) => half('same', hunk.new_start + index, line));
}

/** The rows of an equal hunk; a long run is folded behind a button, but for the lines next to a change. */
export function foldedRows(hunk: Hunk, split: boolean, first: boolean, last: boolean): HTMLElement[] {
  const rows = equalRows(hunk, split);
  const from = first ? 0 : CONTEXT;
  const to = last ? rows.length : rows.length - CONTEXT;
  if (to - from < FOLD_FROM) {
    return rows;
  }
  const fold = h('button', 'rx-fold', `⋯ ${to - from} unchanged lines`);
  fold.type = 'button';
  fold.title = 'Show these lines';
  fold.addEventListener('click', () => fold.replaceWith(...rows.slice(from, to)));
  return [...rows.slice(0, from), fold, ...rows.slice(to)];
}

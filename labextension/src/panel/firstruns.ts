/** The cells that run before the failing one does, in their order. */

import type { RunFirstView } from '../state';
import { h, prose } from './dom';

/** Lines of a cell that are shown, and characters of a line. */
const MOST = 3;
const LONGEST = 120;

function excerpt(source: string): string {
  const lines = source.split('\n').filter(line => line.trim() !== '');
  const shown = lines
    .slice(0, MOST)
    .map(line => [...line])
    .map(letters => (letters.length > LONGEST ? [...letters.slice(0, LONGEST - 1), '…'] : letters).join(''));
  return [...shown, ...(lines.length > MOST ? ['…'] : [])].join('\n');
}

export function firstRuns(first: readonly RunFirstView[]): HTMLElement[] {
  if (first.length === 0) {
    return [];
  }
  const rows = first.map(({ name, source, why }) =>
    h(
      'li',
      'rx-run-first',
      h('div', 'rx-label', h('b', '', name), ' ', ...prose(why)),
      h('pre', 'rx-excerpt', excerpt(source))
    )
  );
  const heading = first.length === 1 ? 'Runs first:' : 'Run first, in this order:';
  return [h('div', 'rx-label', heading), h('ol', 'rx-first', ...rows)];
}

/**
 * Which click on Accept is nothing but one cell that gets a text and runs. Such a one waits for no answer: the kernel reads
 * the click before the cell, and refuses both where it does not agree.
 */

import type { SourceEdit } from '../fromkernel';
import type { Accept } from '../frompage';
import type { KernelLink } from './link';

/** What the page does of itself; null: it asks the kernel first. Only what the kernel has told counts, not what is drawn. */
export function atOnce(message: Accept, link: KernelLink): SourceEdit | null {
  const state = link.repairs.get(message.repair)?.state;
  const fix = state?.fixes.find(({ id }) => id === message.shown.id);
  const edit = fix?.edits[0];
  if (!state || !fix || !edit || JSON.stringify(fix) !== JSON.stringify(message.shown)) {
    return null;
  }
  const asProposed = message.run && !message.whole && message.sources.length === 0;
  const alone = fix.edits.length === 1 && fix.first.length === 0 && fix.installs.length === 0 && !edit.file;
  const plain = state.session === message.session && state.phase === 'ready' && !state.running;
  const cell = state.cell.id;
  return asProposed &&
    alone &&
    plain &&
    !fix.dangerous &&
    !fix.refused &&
    cell !== null &&
    edit.cell.id === cell
    ? { cell, expected: edit.expected, source: edit.source }
    : null;
}

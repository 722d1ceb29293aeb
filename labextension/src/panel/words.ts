/** The sentences of the panel that the page itself must say. Facts, never hopes. */

import type { Notice } from '../state';
import type { KernelBond } from './host';
import type { LocalDecision, Refusal } from './repair';

const REFUSALS: Record<Refusal, string> = {
  'source-changed': 'Not applied: the cell has changed since this fix was made.',
  'cell-not-found': 'Not applied: the cell is not in the notebook any more.',
  'read-only': "Not applied: the cell can't be edited.",
  'kernel-mismatch': 'Not applied: the notebook has another kernel now.',
  'run-failed': 'The cell was rewritten, but could not be run.',
  'no-kernel': 'Not applied: no kernel answers.'
};

export function refused(refusal: Refusal): Notice {
  return { text: REFUSALS[refusal], tone: 'warning' };
}

const OBSTACLES: Partial<Record<Refusal, string>> = {
  'source-changed':
    'The cell has changed since this fix was made. Put its text back (undo) to accept the fix, or copy it.',
  'cell-not-found': 'The cell is not in the notebook any more.',
  'read-only': "The cell can't be edited: the fix can only be copied."
};

export function inTheWay(obstacle: Refusal): Notice {
  return { text: OBSTACLES[obstacle] ?? REFUSALS[obstacle], tone: 'warning' };
}

export function decided(decision: LocalDecision): Notice {
  if (decision.kind === 'rejected') {
    return {
      text: `Rejected${decision.elsewhere ? ' in another tab' : ''}. The cell is as it was.`,
      tone: 'plain'
    };
  }
  const what = decision.run ? 'the cell is waiting for its turn.' : 'the cell was rewritten, not run.';
  return { text: `Accepted${decision.elsewhere ? ' in another tab' : ''}; ${what}`, tone: 'plain' };
}

export const BY_HAND: Notice = {
  text: "Here the cell itself can't be rewritten: it has its old text. Copy the fixed source into it to keep the fix.",
  tone: 'warning'
};

const STILL = 'Accept rewrites the cell and runs all of it; asking again is not possible.';

/** What a panel with a fix says when its kernel is gone. */
export function withoutKernel(bond: KernelBond): Notice | null {
  if (bond === 'restarted') {
    return { text: `The kernel was restarted since: ${STILL}`, tone: 'plain' };
  }
  return bond === 'absent' ? { text: `Reflex is not loaded in this kernel: ${STILL}`, tone: 'plain' } : null;
}

export const SEARCH_ENDED: Notice = { text: 'The search ended with its kernel.', tone: 'plain' };

/** The verdict on a fix when the kernel that tried it is gone. */
export const GONE: Notice = { text: 'not tried in this kernel', tone: 'plain' };

export const EDITED: Notice = { text: 'not tried: you have changed this fix', tone: 'plain' };

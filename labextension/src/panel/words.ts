/** The sentences of the panel that the page itself must say. Facts, never hopes. */

import type { FixView, Notice, PanelState, Phase, RunOptionView } from '../state';
import type { Obstacle, Standing } from './host';
import type { LocalDecision, Refusal } from './repair';

const REFUSALS: Record<Refusal, string> = {
  'source-changed': 'Not applied: the cell has changed since this fix was made.',
  'cell-not-found': 'Not applied: the cell is no longer in the notebook.',
  'read-only': "Not applied: the cell can't be edited.",
  'kernel-mismatch': 'Not applied: the notebook uses a different kernel now.',
  'first-failed': 'Not run: one of the cells that run first failed. Its own panel says why.',
  'run-failed': 'The cell was rewritten, but could not be run.',
  'no-kernel': 'Not applied: no kernel answers.'
};

/** Why nothing came of it, in words. */
export function refused(refusal: Refusal): string {
  return REFUSALS[refusal];
}

const OBSTACLES: Partial<Record<Refusal, string>> = {
  'source-changed':
    'has changed since this fix was made. Put its text back (undo) to accept the fix, or copy the fix.',
  'cell-not-found': 'is no longer in the notebook.',
  'read-only': "can't be edited: the fix can only be copied."
};

export function inTheWay({ why, cell }: Obstacle): Notice {
  const name = cell ? cell[0]?.toUpperCase() + cell.slice(1) : 'The cell';
  const is = OBSTACLES[why];
  return { text: is ? `${name} ${is}` : REFUSALS[why], tone: 'warning' };
}

export function decided(decision: LocalDecision): Notice {
  if (decision.kind === 'rejected') {
    return {
      text: `Rejected${decision.elsewhere ? ' in another tab' : ''}. The cell is as it was.`,
      tone: 'plain'
    };
  }
  const what = decision.run
    ? 'the cell is waiting for its turn.'
    : 'the cell is being rewritten, and is not run.';
  return { text: `Accepted${decision.elsewhere ? ' in another tab' : ''}; ${what}`, tone: 'plain' };
}

/** What became of it, said in a tab where it was not decided. */
export function inAnotherTab(notice: Notice): Notice {
  return { ...notice, text: `${notice.text.replace(/\.$/, '')} · decided in another tab` };
}

/** Of a fix for the cell that runs. */
export const UNANSWERED: Notice = {
  text:
    "The kernel doesn't answer: what runs lets nothing else run. Wait, and the cell is changed as soon as that is over, " +
    'if the line has not begun by then; or interrupt the cell.',
  tone: 'warning'
};

export const BY_HAND: Notice = {
  text: "The cell itself can't be rewritten here: it still has its old text. Copy the fixed source into it to keep the fix.",
  tone: 'warning'
};

const PICTURES: Partial<Record<Standing, string>> = {
  asking:
    'A saved fix: the kernel is being asked whether it knows this repair. Until it answers, this can only be read.',
  unknown:
    'From an earlier session: this kernel does not know this repair, so it can only be read. Run the cell again for a fix that can be accepted.',
  elsewhere: 'From an earlier session, and about another cell: this can only be read.',
  copied:
    'About another cell, of which this one is a copy: this can only be read. Accept the fix there, or run this cell for one of its own.',
  outside: 'Outside of a notebook this can only be read. In a console, `%reflex accept` accepts the fix.',
  absent:
    'From an earlier session, and Reflex is not loaded in this kernel: this can only be read. Run `%load_ext reflex_ipython`, then the cell again.'
};

const SETTLED = new Set<Phase>(['accepted', 'rejected', 'superseded']);

/** Whether a saved panel only says what became of something: there is nothing to decide, and nothing to ask about. */
export function isRecord({ phase, fixes }: PanelState): boolean {
  return SETTLED.has(phase) && fixes.length === 0;
}

/** Why a fix that nobody vouches for can't be accepted. */
export function picture(standing: Standing): Notice | null {
  const text = PICTURES[standing];
  return text ? { text, tone: 'warning' } : null;
}

/** A fix as a picture shows it: praise counts only when the kernel says it. */
export function withoutPraise(fix: FixView): FixView {
  const findings = fix.findings.map(finding =>
    finding.tone === 'good' ? { ...finding, tone: 'plain' as const } : finding
  );
  return { ...fix, findings };
}

/** How to answer which of several fixes is meant. */
export function howToChoose(count: number): string {
  const how = count > 1 ? 'Click on one, or press its number.' : 'Click on it to look at it.';
  return `${how} Nothing runs yet.`;
}

export const CHOOSE = 'Choose this one: it is shown whole, and nothing runs before you accept it';

export const OTHERS = 'Other fixes that ran';
export const SHOW_OTHER = 'Look at this one; nothing runs before you accept it';

/** What the shown fix comes to, before what the others do. */
export function comesTo(gives: string): string {
  return `→ ${gives} · others that ran:`;
}

export function otherComesTo(number: number, gives: string): string {
  return `${number} → ${gives}`;
}

export function andMore(count: number): string {
  return `and ${count} more`;
}

/** In the place of the question, where nobody can answer it any more. */
export const WAS_ASKED = 'What was proposed; each of these may have been meant.';

export const SEARCH_ENDED: Notice = {
  text: 'The search for a fix ended when its kernel did.',
  tone: 'plain'
};

/** In the verdict's place, on a fix that nobody vouches for: of a copy the kernel may have tried it, and it is told elsewhere. */
export function unvouched(standing: Standing): Notice {
  const known = standing === 'copied' || standing === 'outside';
  return { text: known ? 'as it was first shown' : 'not tried in this kernel', tone: 'plain' };
}

export const EDITED: Notice = { text: 'not tried: you have changed this fix', tone: 'plain' };

/** What is heard once there is a fix. */
export function ready({ text, tone }: Notice): string {
  return `Fix ready: ${tone === 'good' ? 'tried, runs' : text}`;
}

export const TRYING: Notice = {
  text: 'not tried yet: your text is being tried in a copy of your kernel',
  tone: 'plain'
};

/** An option to run a fix that the user has changed: where it would go on is only known when it runs. */
export function edited(option: RunOptionView): RunOptionView {
  const label = option.whole ? option.label : 'Resume where possible';
  return { ...option, label, repeats: `${option.repeats} (as proposed)` };
}

/** Says that not the shown fix is the good one, but the first; null if that is not so. */
export function better(shown: FixView, fixes: readonly FixView[]): Notice | null {
  if (fixes[0]?.verdict.tone !== 'good' || shown.verdict.tone === 'good') {
    return null;
  }
  return { text: `Fix 1 of ${fixes.length} ran without an error: go to it with ‹ above.`, tone: 'good' };
}

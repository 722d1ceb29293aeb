/** The lines that the panel says besides what it shows. */

import type { Notice } from '../state';
import type { Standpoint } from './standpoint';
import * as words from './words';

/** The lines that are to be read, the most urgent one last: it is next to the buttons. `copied`: the fixed source is offered. */
export function sayings(at: Standpoint, copied: boolean): Notice[] {
  const { state, local } = at.model;
  if (local) {
    return [at.model.unanswered && local.awaited ? words.UNANSWERED : words.decided(local)];
  }
  if (at.picture) {
    return kept([words.picture(at.host.standing())]);
  }
  const abandoned = state.phase === 'searching' && !at.working;
  const said = abandoned ? words.SEARCH_ENDED : state.notice;
  const notice = said && at.model.elsewhere ? words.inAnotherTab(said) : said;
  if (!at.open) {
    return kept([notice, copied && at.model.accepted !== null ? words.BY_HAND : null]);
  }
  const lines = kept([notice, better(at), trouble(at)]);
  return lines.filter((line, index) => lines.findIndex(other => other.text === line.text) === index);
}

function better(at: Standpoint): Notice | null {
  return at.fix && !at.choice ? words.better(at.fix, at.model.state.fixes) : null;
}

/** What stands in the way, or why the last click came to nothing. */
function trouble(at: Standpoint): Notice | null {
  const { obstacle } = at;
  const { refusal } = at.model;
  if (!obstacle) {
    return refusal ? { text: refusal, tone: 'warning' } : null;
  }
  const told = at.changedByHand && at.answer !== null; // beside the button that resumes it
  return told ? null : words.inTheWay(obstacle);
}

function kept(lines: (Notice | null)[]): Notice[] {
  return lines.filter(line => line !== null);
}

/** Which fixes can be accepted in one go with others: those that were tried, convince, and ask nothing. */

import type { RepairModel } from './repair';

/** What is said first in a line: not what would have been put back, or where it would have gone on. */
export function brief(text: string): string {
  return text.split(' · ')[0] ?? '';
}

/** Why the shown fix of a repair can't be accepted so, in words; empty: it can be. */
export function objection(model: RepairModel): string {
  const { choices, ownText, state } = model;
  const fix = choices.shown(state.fixes);
  if (!model.open || fix === null) {
    return 'there is no fix to accept';
  }
  if (state.working) {
    return 'somebody is still at work on it';
  }
  if (state.question && !choices.picked) {
    return 'several things may be meant: choose one in its panel';
  }
  if (ownText.some) {
    return 'you have changed the fix: accept it in its panel';
  }
  if (fix.verdict.tone !== 'good') {
    return brief(fix.verdict.text);
  }
  if (fix.dangerous) {
    return 'it is dangerous: read it in its panel first';
  }
  if (fix.run_options.length > 0) {
    return 'something would happen twice: choose in its panel how it is to run';
  }
  return fix.installs.length > 0 || fix.first.length > 0
    ? 'more than its cell would run: accept it in its panel'
    : '';
}

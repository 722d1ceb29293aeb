/** What stands in the place of a panel whose document can't be drawn. */

import { h } from './dom';
import { noticeLine } from './reasons';

/** The longest text that is shown in its place, in characters. */
const LONGEST = 10_000;

/** One sentence, and the text that was saved beside the document, if there is one. */
export function damaged(why: string, text: unknown): HTMLElement {
  const said = `This saved panel is damaged and can't be drawn: ${why}. Run the cell again for a new one.`;
  const saved = typeof text === 'string' && text ? [h('pre', 'rx-printed', text.slice(0, LONGEST))] : [];
  const node = h(
    'section',
    'rx-panel rx-damaged',
    h('div', 'rx-notices', noticeLine({ text: said, tone: 'warning' })),
    ...saved
  );
  node.setAttribute('role', 'region');
  node.setAttribute('aria-label', 'Reflex: a damaged panel');
  return node;
}

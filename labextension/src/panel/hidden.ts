/**
 * Characters that act or hide, and what is shown in their place: else `import os` may hide in a comment.
 * The pattern is that of `reflex_ipython/characters.py`; a test holds the two together.
 */

export const HIDDEN = new RegExp(
  '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]' +
    '|[\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164]' +
    '|[\\ud800-\\udfff\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb]' +
    '|[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]' +
    '|(?<![\\u0600-\\u0dff])\\u200c' +
    '|(?<![\\u0600-\\u0dff\\u2190-\\u2bff\\ufe0f\\u{1f000}-\\u{1faff}])\\u200d' +
    '|(?<![\\xa9\\xae\\u203c\\u2049\\u2122\\u2194-\\u2bff\\u3030\\u303d\\u3297\\u3299\\u{1f000}-\\u{1faff}])[\\ufe0e\\ufe0f](?!\\u20e3)',
  'gu'
);

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}

/** What is shown in the place of a hidden character, U+202E as <202E>. Few fonts have pictures of control characters. */
export function sign(code: number): string {
  return `<${hex(code).padStart(code < 0x100 ? 2 : 4, '0')}>`;
}

/** The mark of a hidden character. */
export function mark(code: number): HTMLElement {
  const element = document.createElement('span');
  element.className = 'rx-hidden';
  element.title = `hidden character U+${hex(code).padStart(4, '0')}`;
  element.textContent = sign(code);
  return element;
}

/** A text whose hidden characters are signs. */
export function printable(text: string): string {
  return text.replace(HIDDEN, found => sign(found.codePointAt(0) ?? 0));
}

/** A text as nodes, its hidden characters marked. */
export function marked(text: string): (string | Node)[] {
  const nodes: (string | Node)[] = [];
  let end = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > end) {
      nodes.push(text.slice(end, found.index));
    }
    nodes.push(mark(found[0].codePointAt(0) ?? 0));
    end = found.index + found[0].length;
  }
  if (end < text.length) {
    nodes.push(text.slice(end));
  }
  return nodes;
}

/** How many lines are named before the others are only counted. */
const MOST = 8;

/** Where a text has hidden characters, for a field that can't mark them itself: a sentence, or nothing. */
export function placed(text: string): (string | Node)[] {
  const lines = text.split('\n').flatMap((line, index) => {
    const codes = [...line.matchAll(HIDDEN)].map(found => found[0].codePointAt(0) ?? 0);
    return codes.length ? [{ number: index + 1, codes: [...new Set(codes)] }] : [];
  });
  if (!lines.length) {
    return [];
  }
  const named = lines
    .slice(0, MOST)
    .flatMap(({ number, codes }, index) => [
      `${index ? ', ' : ''}line ${number} `,
      ...codes.slice(0, MOST).map(mark)
    ]);
  const more = lines.length - MOST;
  return ['Hidden characters, kept as they are: ', ...named, more > 0 ? ` and ${more} more lines` : ''];
}

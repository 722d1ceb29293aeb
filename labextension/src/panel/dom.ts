/** Making elements. Text goes in as text, never as HTML: what a model wrote is not to be trusted. */

import { marked, printable } from './hidden';

type Child = Node | string;

/** An element with a class and children; strings become text nodes, and what hides in them is marked. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) {
    element.className = className;
  }
  element.append(...children.flatMap(child => (typeof child === 'string' ? marked(child) : [child])));
  return element;
}

/** A button with a name and a title that says what it will do. */
export function button(
  label: string,
  title: string,
  className: string,
  click: () => void
): HTMLButtonElement {
  const element = h('button', `rx-button ${className}`.trim(), label);
  element.type = 'button';
  element.title = title;
  element.addEventListener('click', click);
  return element;
}

/** Replaces an element's text, only if it differs: screen readers would read it again. */
export function setText(element: HTMLElement, text: string): void {
  const shown = printable(text);
  if (element.textContent !== shown) {
    element.textContent = shown;
  }
}

const CODE = /`([^`\n]+)`/;

/** Text without the backticks, for those who hear it. */
export function plain(text: string): string {
  return text.split(CODE).join('');
}

/** Text with its `backticked` parts as code elements. */
export function prose(text: string): Child[] {
  return text.split(CODE).map((part, index) => (index % 2 ? h('code', 'rx-code', part) : part));
}

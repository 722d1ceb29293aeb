/** The form above the table: which repairs are listed. */

import { h } from '../../panel/dom';
import { CHOSEN, type Chosen, type Filter } from './served';

/** Milliseconds without a key after which it is looked for: nobody wants an answer to half a word. */
const TYPED = 250;
const NAMES: Record<Chosen, string> = {
  ename: 'Exception',
  provider: 'Provider',
  rule: 'Rule',
  model: 'Model',
  outcome: 'Outcome'
};

export class Filters {
  readonly node = h('form', 'rx-filters');

  /** `changed`: is called when others are meant. */
  constructor(private _changed: () => void) {
    this.node.setAttribute('role', 'search');
    this.node.setAttribute('aria-label', 'Filter the repairs');
    this._add('Text', this._text, 'input');
    this._add('Notebook', this._notebook, 'input');
    for (const name of CHOSEN) {
      this._add(NAMES[name], this._selects[name], 'change');
    }
    this._add('From', this._since, 'change');
    this._add('To', this._until, 'change');
    this.node.addEventListener('submit', event => event.preventDefault());
  }

  /** What is chosen now. Days are the reader's own. */
  get filter(): Filter {
    const chosen = CHOSEN.map(name => [name, this._selects[name].value]);
    return {
      ...Object.fromEntries(chosen),
      text: this._text.value.trim(),
      notebook: this._notebook.value.trim(),
      since: moment(this._since.value, 0),
      until: moment(this._until.value, 1)
    };
  }

  /** Offers what there is. */
  update(values: Record<Chosen, string[]>): void {
    for (const name of CHOSEN) {
      const select = this._selects[name];
      const chosen = select.value;
      const there = new Set([...values[name], chosen].filter(Boolean));
      select.replaceChildren(new Option('all', ''), ...[...there].sort().map(each => new Option(each, each)));
      select.value = chosen;
    }
  }

  focus(): void {
    this._text.focus();
  }

  private _add(name: string, field: HTMLInputElement | HTMLSelectElement, event: 'input' | 'change'): void {
    field.addEventListener(event, () => {
      clearTimeout(this._typed);
      this._typed = window.setTimeout(this._changed, event === 'input' ? TYPED : 0);
    });
    this.node.append(h('label', 'rx-filter', name, field));
  }

  private readonly _text = input('search');
  private readonly _notebook = input('search');
  private readonly _since = input('date');
  private readonly _until = input('date');
  private readonly _selects = Object.fromEntries(CHOSEN.map(name => [name, h('select')])) as Record<
    Chosen,
    HTMLSelectElement
  >;
  private _typed = 0;
}

function input(type: string): HTMLInputElement {
  const made = h('input');
  made.type = type;
  return made;
}

/** The first moment of a day, or of the one so many later, as the history notes moments: in UTC. */
function moment(day: string, later: number): string {
  const at = new Date(`${day}T00:00:00`);
  if (!day || Number.isNaN(at.getTime())) {
    return '';
  }
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

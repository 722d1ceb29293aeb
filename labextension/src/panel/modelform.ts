/** The form for choosing a model: what runs on the kernel's machine, or any server by its address. */

import type { ModelServer, ProviderWithKey } from '../fromkernel';
import { button, h, setText } from './dom';
import type { FromModelForm } from './host';
import type { ModelChoice, ModelFields, Said } from './modelchoice';
import { newId } from './newid';
import type { WithoutName } from './wishes';

const SIGNS = { plain: '', good: '✓', warning: '!' };
const NAMES = ['model', 'base_url', 'key_variable'] as const;
/** Milliseconds without a key after which the kernel is asked about an address and a variable. */
const PAUSE = 300;
const NONE = 'No model server was found on this machine (Ollama, LM Studio, llama.cpp).';
const ABOUT_KEY = 'The environment variable that holds the key: type its name, not the key.';

export class ModelForm {
  readonly node = h('div', 'rx-choosing-model');

  /** `leave`: the form is closed, and the keyboard is to go elsewhere. */
  constructor(
    private _choice: ModelChoice,
    private _send: (message: WithoutName<FromModelForm>) => boolean,
    private _leave: () => void
  ) {
    this._use = button(
      'Use',
      'Have this model asked from now on, in this kernel',
      'rx-primary rx-use-model',
      () => undefined
    );
    this._use.type = 'submit';
    for (const name of NAMES) {
      this._inputs[name].type = 'text';
      this._inputs[name].spellcheck = false;
      this._inputs[name].autocomplete = 'off';
    }
    this._inputs.model.placeholder = 'its name on the server';
    this._check = button('Test', '', 'rx-check-model', () => this._toggleCheck());
    const cancel = button('Cancel', 'Close this form; nothing is changed', 'rx-close-model', () =>
      this._close()
    );
    this._form.setAttribute('aria-label', 'Choose a model');
    this._form.noValidate = true;
    this._form.append(
      this._row('Available', this._found, this._none),
      this._row('Model', this._inputs.model),
      this._row('Address', this._inputs.base_url),
      this._row('Key variable', this._inputs.key_variable, h('span', 'rx-how', ABOUT_KEY)),
      this._key,
      h('div', 'rx-model-buttons', this._use, this._check, cancel)
    );
    this._listen();
    this.node.append(this._form, this._said);
  }

  /** Opens it, or closes it. */
  toggle(): void {
    if (this._choice.open) {
      this._close();
      return;
    }
    this._choice.begin();
    this._asked = '';
    if (!this._send({ type: 'want-models' })) {
      this._choice.said = { words: 'No kernel answers.', tone: 'warning' };
    }
    this._changed();
    this._inputs.model.focus();
  }

  /**
   * Draws it; `possible`: a model can be chosen here; null: there is nothing to do just now. Returns whether the form
   * that had the keyboard is gone.
   */
  update(possible: boolean | null): boolean {
    const choice = this._choice;
    if (possible === false && !choice.using) {
      choice.open = false; // it was chosen elsewhere
    } else if (possible === null && !choice.open) {
      choice.said = null;
    }
    const open = choice.open && possible === true;
    const had = this._form.contains(document.activeElement);
    this._form.hidden = !open;
    this._said.hidden = choice.said === null || open !== choice.open;
    this.node.hidden = this._form.hidden && this._said.hidden;
    if (open) {
      this._draw();
    }
    const place = open ? this._form : this.node;
    if (this._said.parentElement !== place) {
      place.append(this._said);
    }
    say(this._said, choice.said);
    return had && !open;
  }

  private _draw(): void {
    const { fields, servers, checking } = this._choice;
    const complete = Object.values(this._choice.filled).every(Boolean);
    for (const name of NAMES) {
      if (this._inputs[name].value !== fields[name]) {
        this._inputs[name].value = fields[name];
      }
    }
    this._drawServers(servers);
    say(this._key, this._choice.key);
    this._askForKey();
    setText(this._check, checking ? 'Stop the test' : 'Test');
    this._check.title = checking
      ? 'Do not wait for its answer any more'
      : 'Ask it one short question, with nothing of your notebook in it';
    // Not while it is being used: a button that is disabled loses the keyboard.
    this._use.disabled = !complete;
    this._check.disabled = !complete && !checking;
    this._form.ariaBusy = String(Boolean(checking));
  }

  private _drawServers(servers: ModelServer[] | null): void {
    const { providers } = this._choice;
    const some = (servers?.some(server => server.models.length > 0) ?? false) || providers.length > 0;
    this._found.hidden = !some;
    this._none.hidden = some;
    const empty = servers?.filter(server => server.models.length === 0) ?? [];
    const without = empty.map(server => `${server.name} is running, but has no model yet.`).join(' ');
    setText(this._none, servers === null ? 'Looking for model servers on this machine…' : without || NONE);
    const drawn = JSON.stringify([servers, providers]);
    if (drawn !== this._drawn) {
      this._drawn = drawn;
      const groups = [...(servers ?? []).map(group), ...providers.map(provider)];
      this._found.replaceChildren(h('option', '', 'another model'), ...groups);
    }
    const { model, base_url } = this._choice.filled;
    const options = [...this._found.options];
    const chosen = options.findIndex(
      ({ dataset }) => dataset.url === base_url && (dataset.key || dataset.model === model)
    );
    this._found.selectedIndex = Math.max(chosen, 0);
  }

  /** Asks the kernel where a question would go, once the typing pauses. */
  private _askForKey(): void {
    const { base_url, key_variable } = this._choice.filled;
    const about = JSON.stringify([base_url, key_variable]);
    if (about !== this._asked && base_url && key_variable) {
      window.clearTimeout(this._typing);
      const pause = this._asked ? PAUSE : 0;
      this._asked = about;
      this._typing = window.setTimeout(
        () => this._send({ type: 'want-key-state', base_url, key_variable }),
        pause
      );
    }
  }

  private _listen(): void {
    for (const name of NAMES) {
      this._inputs[name].addEventListener('input', () => {
        this._fill({ ...this._choice.fields, [name]: this._inputs[name].value });
      });
    }
    this._found.addEventListener('change', () => {
      const { model, url, key } = this._found.selectedOptions[0]?.dataset ?? {};
      if (model && url) {
        this._fill(this._choice.at(url, model));
      } else if (url && key) {
        this._fill({ model: '', base_url: url, key_variable: key });
        this._inputs.model.focus(); // its name is all that is missing
      }
    });
    this._form.addEventListener('submit', event => {
      event.preventDefault();
      this._submit();
    });
    this._form.addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        event.preventDefault();
        this._close();
      }
    });
  }

  private _fill(fields: ModelFields): void {
    this._endCheck();
    this._choice.fields = fields;
    this._choice.touched = true;
    this._choice.said = this._choice.key = null;
    this._changed();
  }

  private _toggleCheck(): void {
    if (this._choice.checking) {
      this._endCheck();
      this._choice.said = { words: 'The test was stopped.', tone: 'plain' };
    } else {
      this._choice.checking = newId();
      this._choice.said = { words: `Asking ${this._choice.filled.model}…`, tone: 'plain' };
      this._ask('check-model', this._choice.checking);
    }
    this._changed();
  }

  private _submit(): void {
    if (!this._use.disabled && !this._choice.using) {
      this._endCheck();
      this._choice.using = newId();
      this._ask('use-model', this._choice.using);
      this._changed();
    }
  }

  private _ask(type: 'check-model' | 'use-model', request: string): void {
    if (!this._send({ type, request, ...this._choice.filled })) {
      this._choice.checking = this._choice.using = '';
      this._choice.said = { words: 'No kernel answers.', tone: 'warning' };
    }
  }

  private _endCheck(): void {
    const { checking } = this._choice;
    if (checking) {
      this._choice.checking = '';
      this._send({ type: 'end-check', request: checking });
    }
  }

  private _close(): void {
    this._endCheck();
    this._choice.open = false;
    this._choice.said = null;
    this._changed();
    this._leave();
  }

  private _changed(): void {
    this._choice.tell();
  }

  dispose(): void {
    window.clearTimeout(this._typing);
  }

  /** A label, what it names, and what there is to say of it. */
  private _row(name: string, field: HTMLElement, ...more: HTMLElement[]): HTMLElement {
    const label = h('label', 'rx-model-label', name);
    label.htmlFor = field.id = newId();
    return h('div', 'rx-model-row', label, field, ...more);
  }

  private readonly _form = h('form', 'rx-model-form');
  private readonly _found = h('select', 'rx-hint rx-found');
  private readonly _none = h('span', 'rx-how rx-none-found');
  private readonly _inputs = {
    model: h('input', 'rx-hint rx-model-name'),
    base_url: h('input', 'rx-hint rx-model-address'),
    key_variable: h('input', 'rx-hint rx-model-key')
  };
  private readonly _key = status();
  private readonly _said = status();
  private readonly _use: HTMLButtonElement;
  private readonly _check: HTMLButtonElement;
  private _drawn = '';
  private _asked = '';
  private _typing = 0;
}

/** A line whose changes are read out. */
function status(): HTMLElement {
  const node = h('div', 'rx-line rx-model-said', h('span', 'rx-sign'), h('span'));
  node.setAttribute('role', 'status');
  return node;
}

function say(node: HTMLElement, said: Said | null): void {
  node.classList.toggle('rx-good', said?.tone === 'good');
  node.classList.toggle('rx-warning', said?.tone === 'warning');
  const [sign, text] = [...node.children] as HTMLElement[];
  setText(sign as HTMLElement, said ? SIGNS[said.tone] : '');
  setText(text as HTMLElement, said?.words ?? '');
}

/** The models of a server, to choose from. */
function group(server: ModelServer): HTMLElement {
  const found = h('optgroup');
  found.label = `${server.name} at ${server.base_url}`;
  found.append(
    ...server.models.map(model => {
      const option = h('option', '', model);
      option.dataset.model = model;
      option.dataset.url = server.base_url;
      return option;
    })
  );
  return found;
}

/** A provider whose key is there. */
function provider({ label, base_url, key_variable }: ProviderWithKey): HTMLElement {
  const option = h('option', '', `${label}: type the model’s name`);
  option.dataset.url = base_url;
  option.dataset.key = key_variable;
  return option;
}

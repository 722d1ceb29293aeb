/** The choice of a model, as far as the user has come with it. It survives a drawing anew. */

import type { KeyState, ModelAnswer, ModelServer, Models, ProviderWithKey } from '../fromkernel';

/** The variable whose key the kernel sends to no server on its own machine. */
const NOT_SENT_HERE = 'OPENAI_API_KEY';

/** What the form holds. */
export interface ModelFields {
  model: string;
  base_url: string;
  key_variable: string;
}

/** What there is to say of it, and how it looks. */
export interface Said {
  words: string;
  tone: 'plain' | 'good' | 'warning';
}

export class ModelChoice {
  open = false;
  fields: ModelFields = { model: '', base_url: '', key_variable: '' };
  /** The servers that were found; null: they are still looked for. */
  servers: ModelServer[] | null = null;
  /** Those whose key is there: only the model's name is to be typed. */
  providers: ProviderWithKey[] = [];
  key: Said | null = null;
  /** What came of the last test or of the choice. */
  said: Said | null = null;
  /** The name of the test that is under way; empty: none is. */
  checking = '';
  /** The name of the choice that the kernel has not answered yet. */
  using = '';
  /** The user has changed a field: it is not filled by itself any more. */
  touched = false;

  /** `tell`: has it drawn anew. */
  constructor(readonly tell: () => void) {}

  /** What the form holds, without the blanks that a copied text begins or ends with. */
  get filled(): ModelFields {
    const { model, base_url, key_variable } = this.fields;
    return { model: model.trim(), base_url: base_url.trim(), key_variable: key_variable.trim() };
  }

  /** What the form holds when a model of a found server is chosen: another server's key is not for that one. */
  at(base_url: string, model: string): ModelFields {
    const { base_url: before, key_variable } = this.filled;
    return { model, base_url, key_variable: before === base_url ? key_variable : NOT_SENT_HERE };
  }

  /** The form opens, as if for the first time. */
  begin(): void {
    this.open = true;
    this.touched = false;
    this.fields = { model: '', base_url: '', key_variable: '' };
    this.servers = this.key = this.said = null;
    this.providers = [];
    this.checking = this.using = '';
  }

  /** What the kernel says; what it says to the form of another page is left alone. */
  hear(message: Models | KeyState | ModelAnswer): void {
    if (message.type === 'model-answer') {
      this._answered(message);
    } else if (!this.open) {
      return;
    } else if (message.type === 'models') {
      this._found(message);
    } else if (
      message.base_url === this.filled.base_url &&
      message.key_variable === this.filled.key_variable
    ) {
      this.key = { words: message.words, tone: message.missing ? 'warning' : 'plain' };
    }
    this.tell();
  }

  private _found({ searching, servers, providers, model, base_url, key_variable }: Models): void {
    if (!searching) {
      this.servers = servers;
    }
    this.providers = providers;
    if (!this.touched) {
      this.fields = { model, base_url, key_variable };
      const first = servers.find(server => server.models.length > 0);
      if (!model && first) {
        this.fields = this.at(first.base_url, first.models[0] ?? '');
      }
    }
  }

  private _answered({ request, good, chosen, words }: ModelAnswer): void {
    if (request === this.using) {
      this.using = '';
      this.open = this.open && !chosen;
    } else if (request === this.checking) {
      this.checking = '';
    } else {
      return;
    }
    this.said = { words, tone: chosen ? 'plain' : good ? 'good' : 'warning' };
  }
}

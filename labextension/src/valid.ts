/** What a panel's document and a kernel's message must be to be drawn or obeyed; checked once, where they come in. */

import {
  type Check,
  count,
  flag,
  listOf,
  objectOf,
  oneOf,
  orDefault,
  orNull,
  source,
  Wrong,
  words
} from './checks';
import type {
  Apply,
  Declined,
  FromKernel,
  KeyState,
  ModelAnswer,
  ModelServer,
  Models,
  ModelText,
  OutgoingContext,
  ProviderWithKey,
  Resumable,
  RunFirst,
  SourceEdit,
  State,
  TextTried,
  TookBack,
  UnknownRepair,
  WantCells,
  Welcome
} from './fromkernel';
import type {
  AcceptedView,
  CellRef,
  EditView,
  FixView,
  Hunk,
  Notice,
  PanelState,
  Preview,
  RunFirstView,
  RunOptionView,
  Span,
  StepView
} from './state';

const cell = objectOf<CellRef>({ id: orNull(words), execution_count: orNull(count) });
const notice = objectOf<Notice>({ text: words, tone: oneOf('plain', 'good', 'warning', 'bad') });
const line = listOf(objectOf<Span>({ text: source, token: words, changed: flag }));
const hunk = objectOf<Hunk>({
  changed: flag,
  old_start: count,
  new_start: count,
  old: listOf(line),
  new: listOf(line)
});
const edit = objectOf<EditView>({
  cell,
  label: orDefault(words, ''),
  expected: source,
  source,
  hunks: orDefault(listOf(hunk), []), // of a saved panel, whose texts are excerpts
  file: orDefault(flag, false)
});
const runOption = objectOf<RunOptionView>({ whole: flag, label: words, repeats: words });
const runFirst = objectOf<RunFirstView>({
  cell,
  name: words,
  source,
  why: words,
  expected: orDefault(source, '') // panels that were saved before there was such a field
});
const preview = objectOf<Preview>({ summary: words, output: source, image: image, changes: listOf(words) });
const fix = objectOf<FixView>({
  id: words,
  origin: words,
  explanation: orDefault(words, ''),
  usage: orDefault(words, ''),
  edits: someOf(edit),
  verdict: orDefault(notice, { text: '', tone: 'plain' }),
  findings: orDefault(listOf(notice), []),
  dangerous: orDefault(flag, false),
  run_options: orDefault(listOf(runOption), []),
  triable: orDefault(flag, false),
  preview: orDefault(orNull(preview), null),
  refused: orDefault(words, ''),
  gives: orDefault(words, ''),
  installs: orDefault(listOf(words), []),
  first: orDefault(listOf(runFirst), [])
});
const step = objectOf<StepView>({
  label: words,
  title: words,
  cell,
  line: orNull(count),
  edit: flag
});
const panel = objectOf<PanelState>({
  repair: words,
  session: words,
  cell,
  error: words,
  phase: oneOf('searching', 'ready', 'nothing', 'accepted', 'rejected', 'superseded'),
  notice: orDefault(orNull(notice), null),
  working: words,
  accepted: orDefault(
    orNull(objectOf<AcceptedView>({ fix: words, sources: orDefault(listOf(source), []) })),
    null
  ),
  fixes: listOf(fix),
  model: orDefault(words, ''),
  model_terms: orDefault(words, ''),
  quiet: orDefault(flag, false),
  question: orDefault(words, ''),
  names: orDefault(listOf(words), []),
  steps: orDefault(listOf(step), []),
  chooses_model: orDefault(flag, false),
  consent: orDefault(words, ''),
  attempts: orDefault(listOf(notice), []),
  running: orDefault(flag, false),
  stale: orDefault(listOf(cell), [])
});

const applied = objectOf<SourceEdit>({ cell: words, expected: source, source });
const messages: { [K in FromKernel['type']]: Check<Extract<FromKernel, { type: K }>> } = {
  welcome: objectOf<Welcome>({
    type: oneOf('welcome'),
    session: words,
    version: words,
    enabled: flag,
    trial: oneOf('automatic', 'on click', 'off'),
    model: words,
    server: words
  }),
  state: objectOf<State>({ type: oneOf('state'), state: panel }),
  text: objectOf<ModelText>({ type: oneOf('text'), repair: words, text: source, start: flag }),
  unknown: objectOf<UnknownRepair>({ type: oneOf('unknown'), request: words, repair: words }),
  declined: objectOf<Declined>({ type: oneOf('declined'), request: words, repair: words, reason: words }),
  resumable: objectOf<Resumable>({
    type: oneOf('resumable'),
    repair: words,
    source,
    label: words,
    words
  }),
  'text-tried': objectOf<TextTried>({
    type: oneOf('text-tried'),
    repair: words,
    request: words,
    trying: flag,
    verdict: orNull(notice)
  }),
  models: objectOf<Models>({
    type: oneOf('models'),
    repair: words,
    searching: flag,
    servers: listOf(objectOf<ModelServer>({ name: words, base_url: words, models: listOf(words) })),
    providers: listOf(objectOf<ProviderWithKey>({ label: words, base_url: words, key_variable: words })),
    model: words,
    base_url: words,
    key_variable: words
  }),
  'key-state': objectOf<KeyState>({
    type: oneOf('key-state'),
    repair: words,
    base_url: words,
    key_variable: words,
    missing: flag,
    words
  }),
  'model-answer': objectOf<ModelAnswer>({
    type: oneOf('model-answer'),
    repair: words,
    request: words,
    good: flag,
    chosen: flag,
    words
  }),
  context: objectOf<OutgoingContext>({ type: oneOf('context'), repair: words, text: source }),
  apply: objectOf<Apply>({
    type: oneOf('apply'),
    client: words,
    request: words,
    edits: someOf(applied),
    first: listOf(objectOf<RunFirst>({ cell: words, expected: source })),
    run: words
  }),
  'want-cells': objectOf<WantCells>({ type: oneOf('want-cells'), client: words, request: words }),
  'took-back': objectOf<TookBack>({
    type: oneOf('took-back'),
    request: words,
    cell: words,
    good: flag,
    words,
    stale: listOf(words)
  })
};

/** An image as base64 may be larger than any text; a panel's is at most some MB. */
function image(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.length > 20_000_000) {
    throw new Wrong(`${where} is not an image of a sensible size`);
  }
  return value;
}

function someOf<T>(check: Check<T>): Check<T[]> {
  const list = listOf(check);
  return (value, where) => {
    const found = list(value, where);
    if (found.length === 0) {
      throw new Wrong(`${where} is empty`);
    }
    return found;
  };
}

/**
 * A panel's document, fit to be drawn.
 * @throws Wrong if it is none.
 */
export function panelOf(value: unknown): PanelState {
  return panel(value, '');
}

/** A message of the kernel; null: it is none, and the console says why. */
export function messageOf(value: unknown): FromKernel | null {
  try {
    const type = oneOf(...(Object.keys(messages) as FromKernel['type'][]))(Object(value).type, 'type');
    return messages[type](value, '');
  } catch (reason) {
    console.error('reflex: a message of the kernel was not understood:', reason);
    return null;
  }
}

/** The history as the Jupyter server gives it to who is logged in: `reflex_ipython/server/history_handlers.py`. */

import { ServerConnection } from '@jupyterlab/services';

/** One repair in a line: `models/history.py`, `RepairSummary`. */
export interface Line {
  id: string;
  at: string;
  notebook: string;
  cell_id: string | null;
  execution_count: number | null;
  ename: string;
  title: string;
  provider: string;
  rule: string;
  model: string;
  outcome: string;
}

export interface Lines {
  repairs: Line[];
  more: boolean;
}

export interface Statistics {
  repairs: number;
  summary: string;
  charts: { title: string; spec: Record<string, unknown> }[];
  values: Record<Chosen, string[]>;
}

/** What is chosen among what there is. */
export const CHOSEN = ['ename', 'provider', 'rule', 'model', 'outcome'] as const;
export type Chosen = (typeof CHOSEN)[number];
export type Filter = Partial<Record<Chosen | 'text' | 'notebook' | 'since' | 'until', string>>;

/** Repairs in one answer at most: `server/answers.py`. */
const MOST = 500;
const NOT_SERVED =
  'The Jupyter server does not answer for the history: is reflex_ipython installed where the server runs, and was it restarted since?';

export function lines(filter: Filter, count: number): Promise<Lines> {
  const given = Object.entries(filter).filter(([, value]) => value);
  return get(`history?${new URLSearchParams([...given, ['limit', String(Math.min(count, MOST))]])}`);
}

export function statistics(): Promise<Statistics> {
  return get('history/statistics');
}

/** What `%reflex log ID` says of a repair, as Markdown. */
export async function log(id: string): Promise<string> {
  return (await get<{ markdown: string }>(`repairs/${encodeURIComponent(id)}/log`)).markdown;
}

async function get<T>(path: string): Promise<T> {
  const settings = ServerConnection.makeSettings();
  const address = `${settings.baseUrl}reflex/api/${path}`;
  const init = { cache: 'reload' } as const; // 'no-store', its default, would put the time among what is asked
  const response = await ServerConnection.makeRequest(address, init, settings);
  const answer = await response.json().catch(() => null);
  if (!response.ok || answer === null) {
    const known = response.status !== 404 || answer?.message?.startsWith('There is no repair');
    throw new Error((known && answer?.message) || NOT_SERVED);
  }
  return answer;
}

import { randomUUID } from 'node:crypto';
import type { AccountName } from './accounts.ts';
import type { RunState } from './run-state.ts';

type Run = Pick<RunState, 'url' | 'sessions'>;

/** Milliseconds within which a console answers a call of a test on any machine. Without a limit a test would end without saying what it waits for. */
export const answerMilliseconds = 60_000;

/** Calls the API as an account, without the page. Returns the answer's data, throws if the call fails. */
export async function callApi(run: Run, account: AccountName, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${run.url}/api/${path}`, {
    method,
    signal: AbortSignal.timeout(answerMilliseconds),
    headers: {
      authorization: `Bearer ${run.sessions[account].token.accessToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  if (text === '') return undefined;
  const parsedBody: { data: unknown } = JSON.parse(text);
  return parsedBody.data;
}

/** Fields of an app that the end-to-end tests read. */
export type JourneyApp = {
  id: number;
  name: string;
  bundle: string;
  domain: string;
  white_user_agent: string | null;
  check_domains: { id: number; server_name: string; status: string }[];
  firebase_settings: { fileName: string } | null;
};

function isApp(data: unknown): data is JourneyApp {
  return typeof data === 'object' && data !== null && 'id' in data && 'check_domains' in data;
}

async function askApp(run: Run, method: string, path: string, body?: object): Promise<JourneyApp> {
  const data = await callApi(run, 'super', method, path, body);
  if (!isApp(data)) throw new Error(`${method} ${path} gave no app`);
  return data;
}

/** An app that no other test uses. */
export function createJourneyApp(run: Run, more: object = {}): Promise<JourneyApp> {
  const mark = randomUUID().slice(0, 8);
  return askApp(run, 'POST', 'apps', {
    name: `Journey ${mark}`,
    bundle: `com.journey.j${mark}`,
    domain: `j${mark}.example`,
    vertical: 'bet',
    ...more,
  });
}

/** The app as the server has it now. */
export function readJourneyApp(run: Run, id: number): Promise<JourneyApp> {
  return askApp(run, 'GET', `apps/${id}`);
}

/** Saves an app as another tab would. */
export function saveElsewhere(run: Run, id: number, body: object): Promise<JourneyApp> {
  return askApp(run, 'PUT', `apps/${id}`, body);
}

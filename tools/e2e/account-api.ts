import { randomUUID } from 'node:crypto';
import { callApi } from '../console/app-api.ts';
import type { RunState, StoredSession } from '../console/run-state.ts';

type Run = Pick<RunState, 'url' | 'sessions'>;

/** Fields of an account that the end-to-end tests read. */
export type JourneyAccount = {
  id: number;
  name: string;
  email: string;
  hasAccess: boolean;
  hasAllApps: boolean;
  isQa: boolean;
  roles: string[];
  appIds: number[];
  version: number;
};

/** Password of the accounts that tests create. */
export const journeyPassword = 'Journey-Passw0rd';

function isAccount(data: unknown): data is JourneyAccount {
  return typeof data === 'object' && data !== null && 'email' in data && 'appIds' in data;
}

async function askAccount(run: Run, method: string, path: string, body?: object): Promise<JourneyAccount> {
  const data = await callApi(run, 'super', method, path, body);
  if (!isAccount(data)) throw new Error(`${method} ${path} gave no account`);
  return data;
}

/** A name and an address that no other test uses. */
export function ownPerson(): { name: string; email: string } {
  const mark = randomUUID().slice(0, 8);
  return { name: `Person ${mark}`, email: `${mark}@journeys.example` };
}

/** A staff account that no other test uses. */
export function createJourneyUser(run: Run, more: object = {}): Promise<JourneyAccount> {
  return askAccount(run, 'POST', 'users', { ...ownPerson(), password: journeyPassword, roles: ['Log Reviewer'], ...more });
}

/** A buyer that no other test uses. */
export function createJourneyBuyer(run: Run, more: object = {}): Promise<JourneyAccount> {
  return askAccount(run, 'POST', 'buyers', { ...ownPerson(), password: journeyPassword, roles: ['Buyer'], ...more });
}

/** An account as the server has it now. */
export function readAccount(run: Run, path: `users/${number}` | `buyers/${number}`): Promise<JourneyAccount> {
  return askAccount(run, 'GET', path);
}

/** Saves an account as another tab would. */
export function saveAccountElsewhere(run: Run, path: `users/${number}` | `buyers/${number}`, body: object): Promise<JourneyAccount> {
  return askAccount(run, 'PUT', path, body);
}

/** Signs an account of a test in. */
export async function signInAs({ url }: Run, { email }: JourneyAccount): Promise<StoredSession> {
  const answer = await fetch(`${url}/api/sanctum/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: journeyPassword }),
  });
  const { data }: { data?: StoredSession } = JSON.parse(await answer.text());
  if (data === undefined) throw new Error(`${email} could not sign in: ${answer.status}`);
  return data;
}

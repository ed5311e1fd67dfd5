import { createHash } from 'node:crypto';
import type { Databases } from '../../database/connect.ts';
import { tooManyAttempts } from '../../errors.ts';
import { clearAttempts, countAttempt, uncountAttempt } from './attempts-store.ts';

/** Requests of one address and failures of one account, and in which time, in milliseconds (O15, api 0.15). */
const limits = { address: { attempts: 30, window: 60_000 }, account: { attempts: 10, window: 900_000 } } as const;

type Deps = { db: Databases['db']; now: () => Date };

/** The account a sign-in is counted against: the e-mail as typed, trimmed and in lower case, known or not. */
export function normalEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

/** Counts a sign-in request of an address; refuses with 429 past the limit. */
export async function admitAddress(deps: Deps, ip: string): Promise<void> {
  await count(deps, `address:${ip}`, limits.address);
}

/** Counts a try on an account before it is judged, so that parallel ones count too; refuses with 429 past the limit. */
export async function admitAccount(deps: Deps, email: string): Promise<void> {
  await count(deps, accountKey(email), limits.account);
}

/** Takes back a try that could not be judged. */
export async function takeBackTry(deps: Deps, email: string): Promise<void> {
  await uncountAttempt(deps.db, accountKey(email));
}

/** A success ends the account's count. */
export async function clearAccount({ db }: Pick<Deps, 'db'>, email: string): Promise<void> {
  await clearAttempts(db, accountKey(email));
}

/** A hash, so that the table neither grows with what was typed nor tells it. */
function accountKey(email: string): string {
  return `account:${createHash('sha256').update(email).digest('base64url')}`;
}

async function count({ db, now }: Deps, key: string, limit: { attempts: number; window: number }): Promise<void> {
  const at = now();
  const { attempts, windowEndsAt } = await countAttempt(db, key, { now: at, window: limit.window });
  if (attempts > limit.attempts) throw tooManyAttempts(Math.max(1, Math.ceil((windowEndsAt.getTime() - at.getTime()) / 1000)));
}

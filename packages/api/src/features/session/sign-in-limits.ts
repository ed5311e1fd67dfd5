import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { tooManyAttempts } from '../../errors.ts';
import { createLimiter } from '../../limiter.ts';
import { clearAttempts, countAttempt, uncountAttempt, type AttemptsDatabase } from './attempts-store.ts';

/**
 * Requests of one address, failures of one account, consent pages for one address, and in which time, in
 * milliseconds (O15, api 0.15).
 */
const limits = {
  address: { attempts: 30, window: 60_000 },
  account: { attempts: 10, window: 900_000 },
  consent: { attempts: 60, window: 60_000 },
} as const;

/** The account a sign-in is counted against: the e-mail as typed, trimmed and in lower case, known or not. */
export function normalEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

export type SignInLimits = {
  /** Counts a sign-in request of an address; refuses with 429 past the limit. */
  admitAddress(ip: string): Promise<void>;
  /** Counts a request of an address for the consent page of Google; refuses with 429 past the limit. */
  admitConsent(ip: string): Promise<void>;
  /** Counts a try on an account before it is judged, so that parallel ones count too; refuses with 429 past the limit. */
  admitAccount(email: string): Promise<void>;
  /** Takes back a try that could not be judged. */
  takeBack(email: string): Promise<void>;
  /** A success ends the account's count; part of the transaction that opens the session. */
  clear(tx: AttemptsDatabase, email: string): Promise<void>;
};

/**
 * Counting is serial by nature, because tries on one key wait for each other's row. Few connections take
 * part in it, so that a flood of sign-ins holds up nobody else.
 */
const counting = { slots: 3, queue: 2000 };
/** Addresses remembered as blocked, so that their further requests do not reach the database. */
const rememberedAddresses = 10_000;

/** The limits of signing in, counted in the database and so across processes (S1, api 0.15). */
export function createSignInLimits({ db, now }: { db: AttemptsDatabase; now: () => Date }): SignInLimits {
  const limiter = createLimiter(counting);
  const blockedUntil = new LRUCache<string, Date>({ max: rememberedAddresses });

  async function count(key: string, { attempts: most, window }: { attempts: number; window: number }): Promise<Date | null> {
    const { attempts, windowEndsAt } = await countAttempt(db, key, { now: now(), window });
    return attempts > most ? windowEndsAt : null;
  }
  function refuse(until: Date): never {
    throw tooManyAttempts(Math.max(1, Math.ceil((until.getTime() - now().getTime()) / 1000)));
  }

  async function admitRequest(kind: 'address' | 'consent', ip: string): Promise<void> {
    const key = `${kind}:${ip}`;
    const until = await limiter.run(async () => {
      const known = blockedUntil.get(key);
      return known && known > now() ? known : count(key, limits[kind]);
    });
    if (!until) return;
    blockedUntil.set(key, until);
    refuse(until);
  }

  return {
    admitAddress: (ip) => admitRequest('address', ip),
    admitConsent: (ip) => admitRequest('consent', ip),
    async admitAccount(email) {
      const until = await limiter.run(() => count(accountKey(email), limits.account));
      if (until) refuse(until);
    },
    takeBack: (email) => uncountAttempt(db, accountKey(email)),
    clear: (tx, email) => clearAttempts(tx, accountKey(email)),
  };
}

/** A hash, so that the table neither grows with what was typed nor tells it. */
function accountKey(email: string): string {
  return `account:${createHash('sha256').update(email).digest('base64url')}`;
}

import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { addressKey, addressKeys } from '../../address-limit.ts';
import { tooManyAttempts } from '../../errors.ts';
import { createLimiter } from '../../limiter.ts';
import {
  clearAttempts,
  countAttempt,
  deletePastWindows,
  forgetAddresses,
  isKnownAddress,
  rememberAddress,
  uncountAttempt,
  type AttemptsDatabase,
} from './attempts-store.ts';

/**
 * Limits of requests of one address, of failures of one account, of consent pages for one address and of mails about a forgotten
 * password to one e-mail; windows are in milliseconds.
 */
const limits = {
  address: { attempts: 30, window: 60_000 },
  account: { attempts: 10, window: 900_000 },
  consent: { attempts: 60, window: 60_000 },
  reset: { attempts: 5, window: 3_600_000 },
} as const;

/** How long an address stays known after a sign-in from it, in milliseconds. */
const knownFor = 30 * 86_400_000;

/** The e-mail that a sign-in counts for: as typed, but trimmed and in lower case, known or not. */
export function normalEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

/** An attempt with a password: the e-mail in the form of `normalEmail`, and the address. */
export type PasswordTry = { email: string; ip: string };

export type SignInLimits = {
  /** Counts a sign-in request of an address; rejects with 429 past the limit. */
  admitAddress(ip: string): Promise<void>;
  /** Counts a request of an address for the consent page of Google; rejects with 429 past the limit. */
  admitConsent(ip: string): Promise<void>;
  /**
   * Counts an attempt on an account before its password is checked, so that parallel ones count, too; rejects with 429
   * past the limit. `takeBack` is for an attempt that could not be checked.
   */
  admitAccount(attempt: PasswordTry): Promise<{ takeBack: () => Promise<void> }>;
  /** Counts a request for a mail about a forgotten password, for known and unknown e-mails alike; rejects with 429 past the limit. */
  admitReset(email: string): Promise<void>;
  /** Deletes the count after a correct password, in the transaction that it allows. */
  clear(tx: AttemptsDatabase, attempt: PasswordTry): Promise<void>;
  /** From then on attempts of this address on the account have a limit of their own. */
  rememberAddress(tx: AttemptsDatabase, accountId: number, ip: string): Promise<void>;
  /** Deletes windows that are over and addresses that are no longer known. */
  maintain(db: AttemptsDatabase): Promise<void>;
};

/**
 * Attempts on one key wait for each other's row, so few connections count them, and a flood of sign-ins does not hold up
 * other calls.
 */
const counting = { slots: 3, queue: 2000 };
/** Addresses remembered as blocked, so that their further requests do not reach the database. */
const rememberedAddresses = 10_000;

/** The limits of signing in, counted in the database and so across processes. */
export function createSignInLimits({ db, now }: { db: AttemptsDatabase; now: () => Date }): SignInLimits {
  const limiter = createLimiter(counting);
  const blockedUntil = new LRUCache<string, Date>({ max: rememberedAddresses });

  async function count(key: string, { attempts: most, window }: { attempts: number; window: number }): Promise<Date | null> {
    const { attempts, windowEndsAt } = await countAttempt(db, key, { now: now(), window });
    return attempts > most ? windowEndsAt : null;
  }
  function reject(until: Date): never {
    throw tooManyAttempts(Math.max(1, Math.ceil((until.getTime() - now().getTime()) / 1000)));
  }

  async function admitRequest(kind: 'address' | 'consent', ip: string): Promise<void> {
    const { attempts, window } = limits[kind];
    // The narrowest key comes first: past its own limit a /64 no longer counts for its /48.
    for (const { key: address, budget } of addressKeys(ip)) {
      const key = `${kind}:${address}`;
      const until = await limiter.run(async () => {
        const known = blockedUntil.get(key);
        return known && known > now() ? known : count(key, { attempts: attempts * budget, window });
      });
      if (!until) continue;
      blockedUntil.set(key, until);
      reject(until);
    }
  }

  /**
   * The key of an attempt: that of the account, or one of its own for an address that signed in to the account before. For
   * unknown e-mails the same statement runs.
   */
  async function accountKey(queried: AttemptsDatabase, { email, ip }: PasswordTry): Promise<string> {
    const address = addressKey(ip);
    const isKnown = await isKnownAddress(queried, { email, addressKey: address, since: new Date(now().getTime() - knownFor) });
    return isKnown ? `known:${hashOf(`${email} ${address}`)}` : `account:${hashOf(email)}`;
  }

  return {
    admitAddress: (ip) => admitRequest('address', ip),
    admitConsent: (ip) => admitRequest('consent', ip),
    async admitAccount(attempt) {
      const { key, until } = await limiter.run(async () => {
        const counted = await accountKey(db, attempt);
        return { key: counted, until: await count(counted, limits.account) };
      });
      if (until) reject(until);
      return { takeBack: () => uncountAttempt(db, key) };
    },
    async admitReset(email) {
      const until = await limiter.run(async () => count(`reset:${hashOf(email)}`, limits.reset));
      if (until) reject(until);
    },
    clear: async (tx, attempt) => clearAttempts(tx, await accountKey(tx, attempt)),
    rememberAddress: (tx, accountId, ip) => rememberAddress(tx, { accountId, addressKey: addressKey(ip), now: now() }),
    async maintain(opsDb) {
      await deletePastWindows(opsDb, now());
      await forgetAddresses(opsDb, new Date(now().getTime() - knownFor));
    },
  };
}

/** A hash, so that the table has neither long values nor what users typed. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

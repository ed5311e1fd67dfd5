import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { addressKey, addressKeys } from '../../address-keys.ts';
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
 * Requests of one address, failures of one account, consent pages for one address, and in which time, in
 * milliseconds (O15, O40, api 0.15).
 */
const limits = {
  address: { attempts: 30, window: 60_000 },
  account: { attempts: 10, window: 900_000 },
  consent: { attempts: 60, window: 60_000 },
} as const;

/** For how many milliseconds an address stays known after a sign-in from it (O40). */
const knownFor = 30 * 86_400_000;

/** The account a sign-in is counted against: the e-mail as typed, trimmed and in lower case, known or not. */
export function normalEmail(typed: string): string {
  return typed.trim().toLowerCase();
}

/** Who tries a password: an e-mail in the form of `normalEmail`, and from which address. */
export type PasswordTry = { email: string; ip: string };

export type SignInLimits = {
  /** Counts a sign-in request of an address; rejects with 429 past the limit. */
  admitAddress(ip: string): Promise<void>;
  /** Counts a request of an address for the consent page of Google; rejects with 429 past the limit. */
  admitConsent(ip: string): Promise<void>;
  /**
   * Counts a try on an account before its password is checked, so that parallel ones count too; rejects with 429 past
   * the limit. `takeBack` is for a try that could not be checked.
   */
  admitAccount(attempt: PasswordTry): Promise<{ takeBack: () => Promise<void> }>;
  /** A right password ends the count that it was part of; part of the transaction that it allows. */
  clear(tx: AttemptsDatabase, attempt: PasswordTry): Promise<void>;
  /** From now on tries of this address on the account have a budget of their own (O40). */
  rememberAddress(tx: AttemptsDatabase, accountId: number, ip: string): Promise<void>;
  /** Forgets windows that are over and addresses that are known no longer. */
  maintain(db: AttemptsDatabase): Promise<void>;
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
  function reject(until: Date): never {
    throw tooManyAttempts(Math.max(1, Math.ceil((until.getTime() - now().getTime()) / 1000)));
  }

  async function admitRequest(kind: 'address' | 'consent', ip: string): Promise<void> {
    const { attempts, window } = limits[kind];
    // The narrowest key comes first: past its own limit a /64 no longer uses up what its /48 has.
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
   * The count that a try belongs to: the account's, or its own for an address that signed in to the account (S1). The
   * same statement answers for e-mails that nobody has (S2).
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
    clear: async (tx, attempt) => clearAttempts(tx, await accountKey(tx, attempt)),
    rememberAddress: (tx, accountId, ip) => rememberAddress(tx, { accountId, addressKey: addressKey(ip), now: now() }),
    async maintain(opsDb) {
      await deletePastWindows(opsDb, now());
      await forgetAddresses(opsDb, new Date(now().getTime() - knownFor));
    },
  };
}

/** A hash, so that the table neither grows with what was typed nor tells it. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

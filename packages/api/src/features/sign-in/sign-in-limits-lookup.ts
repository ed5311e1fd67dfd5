import { trimText } from '@switchyard/contract/text-fields';
import { asciiEmail } from '@switchyard/contract/account-rules';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { addressKey, addressKeys, networkPrefix } from '../../overload/address-limit.ts';
import { tooManyAttempts } from '../../errors.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { createLimiter } from '../../overload/limiter.ts';
import {
  deleteAttempts,
  countAttempt,
  deletePastWindows,
  deleteKnownAddresses,
  isKnownAddress,
  isKnownNetwork,
  insertKnownAddress,
  deleteLastAttempt,
  deleteOtherAddresses,
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

/** The e-mail that a sign-in counts for: as typed, but without white space and invisible characters at its ends, in lower case and with an ASCII domain, known or not. */
export function normalEmail(text: string): string {
  return asciiEmail(trimText(text)).toLowerCase();
}

type From = { email: string; ip: string };
/**
 * A proof that can be guessed, with the e-mail in the form of `normalEmail`, and the address that it comes from. Passwords and
 * second factors are counted apart, so that somebody who has the password cannot clear the count of wrong codes. Those are
 * counted by account: the owner of a session may change its e-mail.
 */
export type Attempt = (From & { proof: 'password' }) | (From & { proof: 'factor'; accountId: number });

export type SignInLimits = {
  /** Counts a sign-in request of an address; throws 429 past the limit. */
  admitAddress(ip: string): Promise<void>;
  /** Counts a request of an address for the consent page of Google; throws 429 past the limit. */
  admitConsent(ip: string): Promise<void>;
  /**
   * Counts an attempt on an account before its proof is checked, so that parallel ones count, too; throws 429 past the
   * limit. `takeBack` is for an attempt that could not be checked.
   */
  admitAccount(attempt: Attempt): Promise<{ takeBack: () => Promise<void> }>;
  /** Counts a request for a mail about a forgotten password, for known and unknown e-mails alike; throws 429 past the limit. */
  admitReset(email: string): Promise<void>;
  /** Deletes the count of a proof that was right, in the transaction that it allows. */
  clear(tx: AttemptsDatabase, attempt: Attempt): Promise<void>;
  /** Whether an account signed in within the last 30 days from the network of an address. */
  isKnownNetwork(tx: AttemptsDatabase, accountId: number, ip: string): Promise<boolean>;
  /** From then on attempts of this address on the account have a limit of their own. */
  rememberAddress(tx: AttemptsDatabase, accountId: number, ip: string): Promise<void>;
  /** Deletes windows that are over and addresses that are no longer known. */
  maintain(db: AttemptsDatabase): Promise<void>;
};

/**
 * Forgets the addresses from which an account signed in, except the one of its owner. Call it for new credentials: those of before may
 * have been stolen, and somebody who signed in with them would keep a limit of their own and cause no mail about a new network.
 */
export async function forgetAddresses(
  tx: OpenTransaction,
  { accountId, ownIp }: { accountId: number; ownIp: string | null },
): Promise<void> {
  await deleteOtherAddresses(tx, { accountId, keptKey: ownIp === null ? null : addressKey(ownIp) });
}

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
        const blockEnd = blockedUntil.get(key);
        return blockEnd && blockEnd > now() ? blockEnd : count(key, { attempts: attempts * budget, window });
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
  async function accountKey(attemptsDb: AttemptsDatabase, attempt: Attempt): Promise<string> {
    const { email, ip } = attempt;
    const address = addressKey(ip);
    const isKnown = await isKnownAddress(attemptsDb, { email, addressKey: address, since: new Date(now().getTime() - knownFor) });
    if (attempt.proof === 'factor') return isKnown ? `factor:${attempt.accountId} ${address}` : `factor:${attempt.accountId}`;
    return isKnown ? `known:${hashOf(`${email} ${address}`)}` : `account:${hashOf(email)}`;
  }

  return {
    admitAddress: (ip) => admitRequest('address', ip),
    admitConsent: (ip) => admitRequest('consent', ip),
    async admitAccount(attempt) {
      const { key, until } = await limiter.run(async () => {
        const attemptKey = await accountKey(db, attempt);
        return { key: attemptKey, until: await count(attemptKey, limits.account) };
      });
      if (until) reject(until);
      return { takeBack: () => deleteLastAttempt(db, key) };
    },
    async admitReset(email) {
      const until = await limiter.run(async () => count(`reset:${hashOf(email)}`, limits.reset));
      if (until) reject(until);
    },
    clear: async (tx, attempt) => deleteAttempts(tx, await accountKey(tx, attempt)),
    isKnownNetwork: (tx, accountId, ip) =>
      isKnownNetwork(tx, { accountId, keyPrefix: networkPrefix(ip), since: new Date(now().getTime() - knownFor) }),
    rememberAddress: (tx, accountId, ip) => insertKnownAddress(tx, { accountId, addressKey: addressKey(ip), now: now() }),
    async maintain(opsDb) {
      await deletePastWindows(opsDb, now());
      await deleteKnownAddresses(opsDb, new Date(now().getTime() - knownFor));
    },
  };
}

/** A hash, so that the table has neither long values nor what users typed. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

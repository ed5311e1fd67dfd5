import * as contract from '@switchyard/contract/session';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import type { Settings } from '../../env.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Feature, RequestContext } from '../../http/bind.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';
import { deletePastWindows } from './attempts-store.ts';
import { findCaller } from './session-read-model.ts';
import { deleteDeadSessions, deleteSession, inTransaction } from './session-store.ts';
import { isSessionToken, tokenHash } from './session-token.ts';
import { signIn } from './sign-in.ts';
import { createSignInLimits } from './sign-in-limits.ts';

export type SessionFeature = Feature & {
  /** The account behind a token, as it is now (S6). */
  authenticate: (token: string) => Promise<AccountCaller | null>;
  /** Forgets dead sessions and past sign-in windows; safe to run in several processes at once. */
  maintain: () => Promise<void>;
};

/** At most once in so many milliseconds the use of a session is written down (api [5]); less with a short idle limit. */
const writeInterval = 60_000;

/** Signing in by e-mail, signing out, and who is signed in (api 1). */
export function createSession(deps: {
  databases: Pick<Databases, 'db' | 'opsDb' | 'pools'>;
  passwords: PasswordHash;
  now: () => Date;
  signIn: Pick<Settings['signIn'], 'methods' | 'sessionHours' | 'idleMinutes'>;
}): SessionFeature {
  const { db, opsDb, pools } = deps.databases;
  const limits = createSignInLimits({ db, now: deps.now });
  const idle = deps.signIn.idleMinutes * 60_000;

  async function authenticate(token: string): Promise<AccountCaller | null> {
    if (!isSessionToken(token)) return null;
    const now = deps.now();
    const writtenBefore = before(Math.min(writeInterval, idle / 60), now);
    return findCaller(pools.ui, tokenHash(token), { now, idleSince: before(idle, now), writtenBefore });
  }

  async function signOut({ caller, request }: { caller: AccountCaller; request: RequestContext }): Promise<void> {
    await inTransaction(db, async (tx) => {
      if (!(await deleteSession(tx, caller.sessionId))) return;
      const { account: actor, sessionId: entityId } = caller;
      await recordAudit(tx, { actor, entity: 'session', action: 'logout', entityId, entityLabel: actor.email, request });
    });
  }

  return {
    authenticate,
    async maintain() {
      const now = deps.now();
      await deleteDeadSessions(opsDb, { now, idleSince: before(idle, now) });
      await deletePastWindows(opsDb, now);
    },
    bindRoutes(bind) {
      const signInDeps = {
        db,
        now: deps.now,
        passwords: deps.passwords,
        limits,
        sessionHours: deps.signIn.sessionHours,
        findCaller: authenticate,
      };
      bind(contract.signIn, async ({ body, request }) => signIn(signInDeps, body, request), {
        admit: async ({ request }) => {
          if (deps.signIn.methods === 'google') throw notFound(contract.signInMessages.emailOff);
          await limits.admitAddress(request.ip);
        },
      });
      bind(contract.signOutByGet, signOut);
      bind(contract.signOut, signOut);
      bind(contract.getSessionUser, async ({ caller }) => caller.account);
    },
  };
}

function before(milliseconds: number, now: Date): Date {
  return new Date(now.getTime() - milliseconds);
}

import * as ownSessions from '@switchyard/contract/own-sessions';
import * as contract from '@switchyard/contract/session';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import type { Settings } from '../../env.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Feature, RequestContext } from '../../http/bind.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';
import { bindGoogle } from './bind-google.ts';
import { endOtherSessions, endOwnSession } from './end-own-session.ts';
import { deleteExpiredGoogleStates } from './google-states-store.ts';
import { listLiveSessions } from './live-sessions-lookup.ts';
import { createCallerLookup } from './session-read-model.ts';
import { deleteDeadSessions, deleteSession, inTransaction } from './session-store.ts';
import { isSessionToken, tokenHash } from './session-token.ts';
import { provePassword, signIn, type ProvePassword } from './sign-in.ts';
import { createSignInLimits } from './sign-in-limits.ts';
import type { GoogleSignInDependencies } from './sign-in-with-google.ts';

export type SessionFeature = Feature & {
  /** The account behind a token, as it is now (S6). */
  authenticate: (token: string) => Promise<AccountCaller | null>;
  provePassword: ProvePassword;
  /** Forgets dead sessions, unfinished sign-ins, past sign-in windows and old addresses; safe in several processes at once. */
  maintain: () => Promise<void>;
};

/** At most once in so many milliseconds the use of a session is written down (api [5]); less with a short idle limit. */
const writeInterval = 60_000;

/** Signing in by e-mail and with Google, signing out, who is signed in and where else (api 1). */
export function createSession(deps: {
  databases: Pick<Databases, 'db' | 'opsDb' | 'pools'>;
  passwords: PasswordHash;
  now: () => Date;
  signIn: Pick<Settings['signIn'], 'methods' | 'sessionHours' | 'idleMinutes'>;
  google: Pick<GoogleSignInDependencies, 'provider' | 'hostedDomains' | 'onProviderFault'>;
  /** False: accounts of the demo cannot sign in, and sessions of theirs are dead (O35). */
  demoIsOn: boolean;
}): SessionFeature {
  const { db, opsDb, pools } = deps.databases;
  const limits = createSignInLimits({ db, now: deps.now });
  const idle = deps.signIn.idleMinutes * 60_000;

  function live(): { now: Date; idleSince: Date } {
    const now = deps.now();
    return { now, idleSince: before(idle, now) };
  }

  const findCaller = createCallerLookup(
    pools.sessions,
    () => {
      const clock = live();
      return { ...clock, writtenBefore: before(Math.min(writeInterval, idle / 60), clock.now) };
    },
    deps.demoIsOn,
  );

  async function authenticate(token: string): Promise<AccountCaller | null> {
    if (!isSessionToken(token)) return null;
    return findCaller(tokenHash(token));
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
    provePassword: async (claim) => provePassword({ db, limits, passwords: deps.passwords }, claim),
    async maintain() {
      const clock = live();
      await deleteDeadSessions(opsDb, clock);
      await limits.maintain(opsDb);
      await deleteExpiredGoogleStates(opsDb, clock.now);
    },
    bindRoutes(bind) {
      const { sessionHours, idleMinutes } = deps.signIn;
      const { demoIsOn } = deps;
      const common = { db, now: deps.now, limits, sessionHours, idleMinutes, demoIsOn, findCaller: authenticate };
      bind(contract.signIn, async ({ body, request }) => signIn({ ...common, passwords: deps.passwords }, body, request), {
        admit: async ({ request }) => {
          if (deps.signIn.methods === 'google') throw notFound(contract.signInMessages.emailOff);
          await limits.admitAddress(request.ip);
        },
      });
      bind(contract.signOutByGet, signOut);
      bind(contract.signOut, signOut);
      bind(contract.getSessionUser, async ({ caller }) => caller.account, { slots: 'none' });
      bindGoogle(bind, { ...common, ...deps.google, methods: deps.signIn.methods });
      bind(ownSessions.listOwnSessions, async ({ caller }) =>
        listLiveSessions(db, { accountId: caller.account.id, sessionId: caller.sessionId, ...live() }),
      );
      bind(ownSessions.endOwnSession, async ({ params, caller, request }) =>
        endOwnSession({ db, ...live() }, { id: params.id, caller, request }),
      );
      bind(ownSessions.endOtherSessions, async ({ caller, request }) => endOtherSessions({ db, ...live() }, { caller, request }));
    },
  };
}

function before(milliseconds: number, now: Date): Date {
  return new Date(now.getTime() - milliseconds);
}

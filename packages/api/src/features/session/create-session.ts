import * as google from '@switchyard/contract/google-sign-in';
import * as ownSessions from '@switchyard/contract/own-sessions';
import * as contract from '@switchyard/contract/session';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import type { Settings } from '../../env.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Bind, Feature } from '../../http/bind.ts';
import { endOtherSessions, endOwnSession, signOut } from './end-sessions.ts';
import { deleteExpiredGoogleStates } from './google-store.ts';
import { listLiveSessions } from './live-sessions-lookup.ts';
import { createCallerLookup } from './session-read-model.ts';
import { isSessionToken, tokenHash } from './open-session.ts';
import { deleteDeadSessions } from './session-store.ts';
import { provePassword, signIn, type ProvePassword } from './sign-in.ts';
import { createSignInLimits } from './sign-in-limits.ts';
import { beginGoogleSignIn, discardGoogleState, signInWithGoogle, type GoogleSignInDependencies } from './sign-in-with-google.ts';

export type SessionFeature = Feature & {
  /** The account of a session token, read anew for each call. */
  authenticate: (token: string) => Promise<AccountCaller | null>;
  provePassword: ProvePassword;
  /** Deletes dead sessions, unfinished sign-ins, past sign-in windows and old addresses; safe in several processes at once. */
  maintain: () => Promise<void>;
};

/** The shortest time between two writes of the use of a session, in milliseconds; less with a short idle limit. */
const writeInterval = 60_000;

/** Calls for signing in and out, on the signed-in account and on its sessions. */
export function createSession(deps: {
  databases: Pick<Databases, 'db' | 'opsDb' | 'pools'>;
  passwords: PasswordHash;
  now: () => Date;
  signIn: Pick<Settings['signIn'], 'methods' | 'sessionHours' | 'idleMinutes'>;
  google: Pick<GoogleSignInDependencies, 'provider' | 'hostedDomains' | 'onProviderFault'>;
  /** False: demo accounts cannot sign in, and their sessions are dead. */
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
      bind(contract.signOutByGet, async (call) => signOut({ db }, call));
      bind(contract.signOut, async (call) => signOut({ db }, call));
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

/**
 * Calls of sign-in with Google. Where it is off, both are rejected with 404 before anything else. The limit is shared with
 * sign-in by e-mail.
 */
function bindGoogle(bind: Bind, deps: GoogleSignInDependencies & { methods: Settings['signIn']['methods'] }): void {
  function requireOn(): void {
    if (deps.methods === 'email') throw notFound(google.googleMessages.off);
  }

  bind(google.getConsentUrl, async () => beginGoogleSignIn(deps), {
    async admit({ request }) {
      requireOn();
      await deps.limits.admitConsent(request.ip);
    },
  });
  bind(google.signInWithGoogle, async ({ body, request }) => signInWithGoogle(deps, body, request), {
    async admit({ request }) {
      requireOn();
      await deps.limits.admitAddress(request.ip);
    },
    onMisfit: async (body) => discardGoogleState(deps, body),
  });
}

function before(milliseconds: number, now: Date): Date {
  return new Date(now.getTime() - milliseconds);
}

import * as google from '@switchyard/contract/google-sign-in';
import * as ownSessions from '@switchyard/contract/own-sessions';
import * as securityMails from '@switchyard/contract/security-mails';
import * as contract from '@switchyard/contract/session';
import type { Passkeys } from '../../adapters/passkeys.ts';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { SecretBox } from '../../adapters/secret-box.ts';
import type { PasswordPolicy } from '../../adapters/common-passwords.ts';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Databases } from '../../database/connect.ts';
import type { Settings } from '../../env.ts';
import { notFound } from '../../errors.ts';
import type { SessionCaller, Bind, Feature } from '../../http/bind.ts';
import type { FindReauthentication } from '../../http/recent-sign-in.ts';
import type { JobWorker } from '../../jobs/job-queue.ts';
import { mailQueue, type LinkDependencies } from './account-links-lookup.ts';
import { deleteExpiredResets } from './account-links-store.ts';
import { bindAccountLinks } from './bind-account-links.ts';
import { bindSecondFactors } from './bind-second-factors.ts';
import { deleteExpiredChallenges } from './challenges-store.ts';
import { endOtherSessions, endOwnSession, signOut } from './end-sessions.ts';
import { deleteExpiredGoogleStates } from './google-store.ts';
import { listLiveSessions } from './live-sessions-lookup.ts';
import { runMailJob, type MailJobDependencies } from './mail-jobs.ts';
import { createReauthenticationLookup } from './recent-sign-in-lookup.ts';
import { createCallerLookup } from './session-read-model.ts';
import { isSessionToken } from './open-session.ts';
import { tokenHash } from '../../secret-token.ts';
import { listOwnMails, switchOwnMail } from './security-mails.ts';
import type { NotifyOwner } from './security-mails-lookup.ts';
import { deleteDeadSessions } from './session-store.ts';
import { provePassword, signIn, type ProvePassword } from './sign-in.ts';
import { createSignInLimits } from './sign-in-limits.ts';
import { beginGoogleSignIn, discardGoogleState, signInWithGoogle, type GoogleSignInDependencies } from './sign-in-with-google.ts';

export type SessionFeature = Feature & {
  /** The account of a session token, read anew for each call. */
  authenticate: (token: string) => Promise<SessionCaller | null>;
  provePassword: ProvePassword;
  findReauthentication: FindReauthentication;
  /** Mails links; null where no mail is sent. */
  mailWorker: JobWorker | null;
  /** Deletes dead sessions, unfinished sign-ins, past sign-in windows and old addresses; safe in several processes at once. */
  maintain: () => Promise<void>;
};

/** The shortest time between two writes of the use of a session, in milliseconds; less with a short idle limit. */
const writeInterval = 60_000;

/** Calls for signing in and out, on the signed-in account and on its sessions. */
export function createSession(deps: {
  databases: Pick<Databases, 'db' | 'opsDb' | 'jobsDb' | 'pools'>;
  passwords: PasswordHash;
  passwordPolicy: PasswordPolicy;
  now: () => Date;
  signIn: Pick<Settings['signIn'], 'methods' | 'sessionHours' | 'idleMinutes'>;
  secretBox: SecretBox;
  readSecret: ReadSecret;
  passkeys: Passkeys;
  /** The name of the console in authenticator apps. */
  issuer: string;
  google: Pick<GoogleSignInDependencies, 'provider' | 'hostedDomains' | 'onProviderFault'>;
  links: LinkDependencies;
  /** How links are mailed; null where no mail is sent. */
  mail: Pick<MailJobDependencies, 'mailer' | 'productName' | 'onMailFault' | 'retrySeconds'> | null;
  notifyOwner: NotifyOwner;
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

  async function authenticate(token: string): Promise<SessionCaller | null> {
    if (!isSessionToken(token)) return null;
    return findCaller(tokenHash(token));
  }

  const findReauthentication = createReauthenticationLookup({
    db,
    now: deps.now,
    hasPasswords: deps.signIn.methods !== 'google',
    hasGoogle: deps.signIn.methods !== 'email' && deps.google.provider !== null,
  });
  const provesPassword: ProvePassword = async (claim) => provePassword({ db, limits, passwords: deps.passwords }, claim);
  return {
    authenticate,
    findReauthentication,
    provePassword: provesPassword,
    mailWorker: createMailWorker(deps),
    async maintain() {
      const clock = live();
      await deleteDeadSessions(opsDb, clock);
      await limits.maintain(opsDb);
      await deleteExpiredGoogleStates(opsDb, clock.now);
      await deleteExpiredChallenges(opsDb, clock.now);
      await deleteExpiredResets(opsDb, clock.now);
    },
    bindRoutes(bind) {
      const { sessionHours, idleMinutes } = deps.signIn;
      const { demoIsOn } = deps;
      const { notifyOwner } = deps;
      const common = { db, now: deps.now, limits, notifyOwner, sessionHours, idleMinutes, demoIsOn, findCaller: authenticate };
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
      bindSecondFactors(bind, {
        ...common,
        ...deps.google,
        secretBox: deps.secretBox,
        readSecret: deps.readSecret,
        passkeys: deps.passkeys,
        issuer: deps.issuer,
        provePassword: provesPassword,
        hasPasskeySignIn: deps.signIn.methods !== 'google',
      });
      const { passwords, passwordPolicy, links } = deps;
      const hasPasswords = deps.signIn.methods !== 'google';
      bindAccountLinks(bind, { ...common, passwords, passwordPolicy, sendMail: links.sendMail, hasPasswords });
      const ownMails = { db, notifyOwner, sendsMail: deps.mail !== null };
      bind(securityMails.listSecurityMails, async ({ caller }) => listOwnMails(ownMails, caller));
      bind(securityMails.switchSecurityMail, async (call) => switchOwnMail(ownMails, call));
      bind(ownSessions.listOwnSessions, async ({ caller }) =>
        listLiveSessions(db, { accountId: caller.account.id, sessionId: caller.by.sessionId, ...live() }),
      );
      bind(ownSessions.endOwnSession, async ({ params, caller, request }) =>
        endOwnSession({ db, ...live() }, { id: params.id, caller, request }),
      );
      bind(ownSessions.endOtherSessions, async ({ body, caller, request }) =>
        endOtherSessions({ db, ...live() }, { caller, request, revokesTokens: body.revoke_tokens }),
      );
    },
  };
}

/** The worker of the queue of mails, on the connections of jobs. */
function createMailWorker({
  databases: { jobsDb },
  links,
  mail,
}: Pick<Parameters<typeof createSession>[0], 'databases' | 'links' | 'mail'>) {
  if (mail === null) return null;
  const deps = { ...links, ...mail, jobsDb };
  return { queue: mailQueue, run: async (data: unknown, signal: AbortSignal) => runMailJob(deps, data, signal) } as const;
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

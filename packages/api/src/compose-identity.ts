import type { PasswordPolicy } from './adapters/common-passwords.ts';
import { createGoogleSignIn } from './adapters/google-sign-in.ts';
import { createMailer } from './adapters/mailer.ts';
import { createPasskeys as createPasskeyVerifier } from './adapters/passkeys.ts';
import type { PasswordHash } from './adapters/password-hash.ts';
import type { ReadSecret } from './adapters/read-secret.ts';
import type { Background } from './background.ts';
import type { Databases } from './database/connect.ts';
import type { Settings } from './env.ts';
import { createGoogle } from './features/google/create-google.ts';
import { provesGoogleAccount } from './features/google/google-commands.ts';
import { deleteExpiredGoogleStates } from './features/google/google-store.ts';
import type { LinkDependencies } from './features/mailed-links/account-links-lookup.ts';
import { deleteExpiredResets } from './features/mailed-links/account-links-store.ts';
import { createMailedLinks } from './features/mailed-links/create-mailed-links.ts';
import { createPasskeys } from './features/passkeys/create-passkeys.ts';
import { deleteExpiredChallenges } from './features/second-factors/challenges-lookup.ts';
import { createSecondFactors } from './features/second-factors/create-second-factors.ts';
import { createSecurityMails } from './features/security-mails/create-security-mails.ts';
import type { NotifyOwner } from './features/security-mails/security-mails-lookup.ts';
import { createSessions, type SessionsFeature } from './features/sessions/create-sessions.ts';
import { createSignIn, type SignInFeature } from './features/sign-in/create-sign-in.ts';
import { createSignInLimits } from './features/sign-in/sign-in-limits-lookup.ts';
import type { Feature } from './http/bind.ts';
import type { Log } from './observability/logging.ts';
import type { Metrics } from './observability/metrics.ts';
import type { SealSecret } from './secret-keys/seal-secret.ts';
import { createMailWorker } from './mail-worker.ts';

export type Identity = Pick<SessionsFeature, 'authenticate'> &
  Pick<SignInFeature, 'provePassword' | 'findReauthentication'> & {
    features: readonly Feature[];
    /** Deletes unfinished sign-ins, past sign-in windows and old addresses, and sends mails. */
    background: readonly Background[];
  };

/** Creates the features of signing in, sessions, second factors and the mails about them. */
export function composeIdentity({
  databases,
  settings,
  logger,
  now,
  links,
  retrySeconds,
  metrics,
  ...deps
}: {
  databases: Pick<Databases, 'db' | 'opsDb' | 'jobsDb' | 'pools'>;
  settings: Settings;
  logger: Log['logger'];
  passwords: PasswordHash;
  passwordPolicy: PasswordPolicy;
  now: () => Date;
  sealSecret: SealSecret;
  readSecret: ReadSecret;
  links: LinkDependencies;
  /** When mails that could not be sent are sent again. */
  retrySeconds: readonly number[] | undefined;
  metrics: Pick<Metrics, 'mailFailed'>;
  notifyOwner: NotifyOwner;
  /** False: demo accounts cannot sign in, and their sessions are dead. */
  demoIsOn: boolean;
}): Identity {
  const { db, opsDb, jobsDb } = databases;
  const { notifyOwner, demoIsOn } = deps;
  const { methods, sessionHours, idleMinutes } = settings.signIn;
  const { productName } = settings.names;
  const google = googleSignIn(settings, logger);
  const passkeys = createPasskeyVerifier({ address: settings.appUrl, name: productName });
  const limits = createSignInLimits({ db, now });
  const sessions = createSessions({ databases, now, idleMinutes, demoIsOn });
  const common = {
    ...deps,
    issuer: productName,
    passkeys,
    db,
    now,
    limits,
    sessionHours,
    idleMinutes,
    methods,
    findCaller: sessions.authenticate,
  };
  const signIn = createSignIn({
    ...common,
    provesGoogleAccount: async (claim) => provesGoogleAccount({ db, now, ...google }, claim),
    hasGoogle: methods !== 'email' && google.provider !== null,
  });
  return {
    authenticate: sessions.authenticate,
    provePassword: signIn.provePassword,
    findReauthentication: signIn.findReauthentication,
    features: [
      sessions,
      signIn,
      createGoogle({ ...common, ...google }),
      createSecondFactors(common),
      createPasskeys(common),
      createMailedLinks({ ...common, sendMail: links.sendMail, hasPasswords: methods !== 'google' }),
      createSecurityMails({ db, notifyOwner, sendsMail: settings.mail !== null }),
    ],
    background: [
      {
        async maintain() {
          await limits.maintain(opsDb);
          await deleteExpiredGoogleStates(opsDb, now());
          await deleteExpiredChallenges(opsDb, now());
          await deleteExpiredResets(opsDb, now());
        },
      },
      ...mailWorkers({ ...links, jobsDb, retrySeconds }, { settings, metrics, logger }),
    ],
  };
}

/** The sender of mails that the settings name; none where no mail is sent. */
function mailWorkers(
  deps: Pick<Parameters<typeof createMailWorker>[0], 'now' | 'publicUrl' | 'sendMail' | 'jobsDb' | 'retrySeconds'>,
  { settings: { mail, names }, metrics, logger }: { settings: Settings; metrics: Pick<Metrics, 'mailFailed'>; logger: Log['logger'] },
): Background[] {
  if (mail === null) return [];
  const worker = createMailWorker({
    ...deps,
    mailer: createMailer(mail, { senderName: names.productName }),
    productName: names.productName,
    onMailFault(fault) {
      metrics.mailFailed(fault.isFinal);
      logger.warn(fault, 'Mail: could not be sent');
    },
  });
  return [{ worker }];
}

/** Sign-in with Google as the settings say; a domain list is separated by commas. */
function googleSignIn({ appUrl, signIn: { google } }: Settings, logger: Log['logger']) {
  return {
    provider:
      google && createGoogleSignIn({ ...google, redirectUri: `${appUrl}/oauth/google`, allowHttp: google.issuer.startsWith('http:') }),
    hostedDomains: (google?.hostedDomain ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((domain) => domain !== ''),
    onProviderFault: (fault: Error) => logger.warn({ err: fault }, 'Google sign-in: failed'),
  };
}

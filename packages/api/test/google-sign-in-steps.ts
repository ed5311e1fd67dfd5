import { onTestFinished } from 'vitest';
import type { Databases } from '../src/database/connect.ts';
import { buildTestApi, type TestAnswer, type TestApi, type TestApiOptions } from './build-test-api.ts';
import { startGoogleProvider, trustIn, type GoogleProvider } from './google-provider.ts';

/** An API, the provider it trusts, and the steps of a sign-in with it. */
export type GoogleSteps = {
  api: TestApi;
  provider: GoogleProvider;
  /** Asks for the consent page. */
  begin: () => Promise<{ url: string; state: string; expiresAt: number }>;
  /** Begins and gives consent: what the browser then posts. */
  consent: () => Promise<{ code: string; state: string }>;
  /** Posts the parameters of the redirect from the consent page. */
  finish: (body: object, ip?: string) => Promise<TestAnswer>;
  /** All of it. */
  signIn: () => Promise<TestAnswer>;
};

/** Empties what sign-ins write, so that a test counts its own rows only. */
export async function forgetSignIns({ db }: Pick<Databases, 'db'>): Promise<void> {
  for (const table of ['audit_entries', 'google_states', 'sign_in_attempts', 'accounts'] as const) await db.deleteFrom(table).execute();
}

/** Builds an API on which sign-in with Google is on, with a provider of its own; both end with the test. */
export async function withGoogle(databases: Databases, { env, ...options }: Omit<TestApiOptions, 'databases'> = {}): Promise<GoogleSteps> {
  await forgetSignIns(databases);
  const provider = await startGoogleProvider();
  onTestFinished(provider.stop);
  const api = await buildTestApi({
    databases,
    env: { ...trustIn(provider), ...env },
    ...options,
  });
  onTestFinished(async () => api.app.close());

  async function begin() {
    const { body } = await api.call('GET', '/api/google/auth-url');
    return body.data;
  }
  async function consent() {
    return provider.consent((await begin()).url);
  }
  async function finish(body: object, ip = '198.51.100.7') {
    return api.call('POST', '/api/google/login', { body, ip, headers: { 'user-agent': 'Mozilla/5.0' } });
  }
  return { api, provider, begin, consent, finish, signIn: async () => finish(await consent()) };
}

/** How tests get these steps over the database of their file, which may still be in the making; it comes with them. */
export function givenGoogle(database: Promise<{ databases: Databases }>) {
  return async (options: Parameters<typeof withGoogle>[1] = {}) => {
    const { databases } = await database;
    return { databases, ...(await withGoogle(databases, options)) };
  };
}

/** Responses to calls of a failed sign-in (api [7], [8]). */
export const refusals = {
  off: { success: false, message: 'Sign-in with Google is switched off' },
  notConfigured: { success: false, message: 'Google sign-in is not configured' },
  unavailable: { success: false, message: 'Google is unavailable, try again' },
  badState: { success: false, message: 'Invalid or expired sign-in state' },
  failed: { success: false, message: 'Google sign-in failed' },
  unknownUser: { success: false, message: 'User not found' },
  denied: { success: false, message: 'Access denied. Contact your administrator' },
  tooMany: { success: false, message: 'Too many attempts. Try again later' },
};

/** State that a rejected sign-in must not change. */
export async function accountsAndSessions({ db }: Databases) {
  const accounts = await db.selectFrom('accounts').select(['id', 'google_issuer', 'google_subject']).orderBy('id').execute();
  const sessions = await db.selectFrom('sessions').select('id').orderBy('id').execute();
  return { accounts, sessions };
}

/** Who signed in, or failed to, as the trail has it, oldest first. */
export async function trail({ db }: Databases) {
  return db.selectFrom('audit_entries').select(['actor_id', 'action', 'entity', 'entity_id', 'entity_label', 'ip']).orderBy('id').execute();
}

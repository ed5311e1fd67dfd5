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
  /** Posts what came back from the consent page. */
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

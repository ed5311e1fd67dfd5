import type { Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goodClaims, startGoogleProvider, trustIn, type GoogleProvider } from '../../packages/api/test/google-provider.ts';
import { prepareFolder } from '../../packages/api/test/prepare-folder.ts';
import { startConsole } from '../console/console-server.ts';
import { test as base } from './console-test.ts';
import { readRunState } from '../console/run-state.ts';

/** A console of its own that trusts a real OpenID provider, whose only account has the e-mail that the provider vouches for. */
type GoogleConsole = { readonly url: string; readonly provider: GoogleProvider };

/** The console's test over a console with Google sign-in; nobody is signed in and the provider behaves well at its begin. */
export const test = base.extend<{ provider: GoogleProvider }, { google: GoogleConsole }>({
  google: [
    async ({ browserName }, provide) => {
      const provider = await startGoogleProvider();
      const dataDir = await mkdtemp(join(tmpdir(), `switchyard-google-${browserName}-`));
      await prepareFolder(dataDir);
      const console = await startConsole({
        ...trustIn(provider),
        DATA_DIR: dataDir,
        ADMIN_EMAIL: goodClaims.email,
        ADMIN_PASSWORD: 'Journeys-Admin-1',
        NODE_ENV: 'test',
        DEMO: '0',
      });
      await provide({ url: console.url, provider });
      await console.stop();
      await provider.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  provider: async ({ google }, provide) => {
    google.provider.claim({});
    google.provider.disturb('/token', null);
    await provide(google.provider);
  },
  run: async ({ google }, provide) => provide({ ...readRunState(), url: google.url, session: null }),
});

/** Goes from the login page to the provider, which consents at once; gives the address it sent the browser back to. */
export async function goThroughProvider(page: Page): Promise<string> {
  await page.goto('/login');
  const callback = page.waitForRequest(/\/oauth\/google\?/);
  await page.getByRole('link', { name: 'Sign in with Google', exact: true }).click();
  return (await callback).url();
}

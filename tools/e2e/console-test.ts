import { test as base, expect, type Page } from '@playwright/test';
import type { AccountName } from '../console/accounts.ts';
import { readRunState, type RunState, type StoredSession } from '../console/run-state.ts';

type Options = {
  /** Who is signed in when the test begins; `guest` is nobody. Set with `test.use`. */
  account: AccountName | 'guest';
  /** Theme that the console starts in. */
  theme: 'light' | 'dark';
};

type Fixtures = {
  /** The run's server, and the session of the test's account. */
  run: RunState & { session: StoredSession | null };
  /** Errors and breaches of the content policy that the browser has reported. */
  complaints: string[];
};

/** Content of local storage when a page first opens. */
function storage(session: StoredSession | null, theme: string): Record<string, string> {
  const storedValues = { switchyard_theme: theme };
  if (session === null) return storedValues;
  return { ...storedValues, switchyard_token: JSON.stringify(session.token), switchyard_user: JSON.stringify(session.user) };
}

/** A script for every new document of a context. Only the first one fills the storage, so that signing out counts. */
function fillStorage(origin: string, storedValues: Record<string, string>): string {
  return `if (self.origin === ${JSON.stringify(origin)} && localStorage.getItem('filled') === null)
    Object.assign(localStorage, { ...${JSON.stringify(storedValues)}, filled: '1' });`;
}

/** The browser also reports every rejected answer, which many tests are about. */
function isExpected(text: string): boolean {
  return text.startsWith('Failed to load resource');
}

/**
 * Playwright's test with the console's address, the machine's browser and a signed-in account. A test
 * fails when the page threw or the content policy was breached.
 */
export const test = base.extend<Fixtures & Options>({
  account: ['super', { option: true }],
  theme: ['light', { option: true }],
  run: async ({ account }, provide) => {
    const state = readRunState();
    await provide({ ...state, session: account === 'guest' ? null : state.sessions[account] });
  },
  baseURL: async ({ run }, provide) => provide(run.url),
  // Not `storageState`, for which Playwright opens a page of its own in each context.
  context: async ({ context, run, theme }, provide) => {
    await context.addInitScript({ content: fillStorage(run.url, storage(run.session, theme)) });
    await provide(context);
  },
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !isExpected(message.text())) complaints.push(message.text());
      });
      await provide(complaints);
      const heardComplaints = [...complaints];
      // A call that the test answers itself, and that is under way as it ends, would be taken for a failure.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      expect(heardComplaints, 'errors and policy breaches in the page').toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Widths at which the accessibility of a page is tested. Lists and forms share their parts, which apps and requests cover on a
 * phone and on a desktop. Other pages are tested at one of the two, and at both if EVERY_WIDTH is set.
 */
export function widths(one: 390 | 1440): readonly number[] {
  return process.env['EVERY_WIDTH'] === undefined ? [one] : [390, 1440];
}

/** The text that local storage keeps under a name of the console. */
export async function storedValue(page: Page, name: string): Promise<string | null> {
  return page.evaluate((key) => localStorage.getItem(`switchyard_${key}`), name);
}

export { expect };

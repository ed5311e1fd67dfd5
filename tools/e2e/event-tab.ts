import type { Locator, Page } from '@playwright/test';
import { accounts } from '../console/accounts.ts';
import { createJourneyApp, type JourneyApp } from '../console/app-api.ts';
import { expect } from './console-test.ts';
import { handIn, handInRows } from '../console/hand-in.ts';
import type { RunState } from '../console/run-state.ts';

type GivenEvent = Parameters<typeof handIn>[1][number];

/** The filters in force, each a chip above the list. */
export const chips = (page: Page): Locator => page.getByRole('list', { name: 'Active filters' });

/** An app of the test's own with these events. */
export async function appWith(run: RunState, events: readonly GivenEvent[]): Promise<JourneyApp> {
  const app = await createJourneyApp(run);
  if (events.length > 0)
    await handIn(
      run,
      events.map((event) => ({ bundle: app.bundle, ...event })),
    );
  return app;
}

/** Gives an app's streams their names, by uid. */
export async function nameStreams(run: RunState, app: JourneyApp, names: Record<string, string>): Promise<void> {
  const now = new Date().toISOString();
  await handInRows(
    run,
    'streams',
    Object.entries(names).map(([uid, name]) => ({
      uid,
      name,
      bundle: app.bundle,
      buyer_email: accounts.buyer.email,
      created_at: now,
      updated_at: now,
    })),
  );
}

/** Opens an app's Event tab; the query starts with an ampersand. */
export async function openEvents(page: Page, app: JourneyApp, query = ''): Promise<void> {
  await page.goto(`/apps/${app.id}/edit?startTabName=Event${query}`);
  await expect(page.getByRole('tab', { name: 'Event' })).toHaveAttribute('aria-selected', 'true');
}

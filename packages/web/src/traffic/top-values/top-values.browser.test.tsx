import { allRequestsQuery } from '@switchyard/contract/all-requests';
import type { AllRequestFilters } from '@switchyard/contract/requests';
import { topFields, type TopField, type TopValues } from '@switchyard/contract/top-values';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanup } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { z } from 'zod';
import type { Permission } from '@switchyard/contract/permissions';
import { createBulkServer } from '../../shared/bulk/testing/bulk-server.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { createStore, useStore } from '../../shared/external-store.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { stubApi } from '../../testing/stub-api.ts';
import { renderPage } from '../../testing/render-pages.tsx';
import { allRequestValues } from '../request-values.ts';
import { ValueListContext } from '../value-list.ts';
import { topCalls, type TopCalls } from './top-calls.ts';
import { TopValuesPanel } from './top-values-panel.tsx';

type TopCall = { field: TopField; query: AllRequestFilters; signal: AbortSignal };
type Answer = (call: TopCall) => Promise<TopValues>;

const samples: Readonly<Record<TopField, TopValues['values']>> = {
  app: [{ value: '12', name: 'Bet', count: 30 }],
  country: [
    { value: 'DE', name: null, count: 30 },
    { value: 'none', name: null, count: 10 },
  ],
  type: [{ value: 'error', name: null, count: 4 }],
  stream: [{ value: 'st_1', name: 'Spring\u202Egnirps', count: 8 }],
  bot: [{ value: 'none', name: null, count: 20 }],
  asn: [{ value: '13335', name: 'Cloudflare', count: 20 }],
  error: [],
};
const sample = (field: TopField): TopValues => ({ field, values: samples[field], total: 40, counted: 'all', rows: 40 });

const list = { schema: allRequestsQuery, filters: allRequestValues };

/** The filters of the list, which a test may change. */
const filters = createStore<AllRequestFilters>({ search: undefined });
function Panel({ calls }: { calls: TopCalls }) {
  return <TopValuesPanel listName="requests" filters={useStore(filters)} calls={calls} />;
}

/** The panel over answers of the test's own, in a list at an address; gives what was asked, in order, and the history. */
async function show(answer: Answer = ({ field }) => Promise.resolve(sample(field)), address = '/page') {
  queryClient.clear();
  filters.set({ search: undefined });
  const questions: TopCall[] = [];
  const calls = topCalls(topFields, async ({ query: { field, ...query }, signal }) => {
    questions.push({ field, query, signal });
    return { data: await answer({ field, query, signal }) };
  });
  const history = await renderPage(
    <QueryClientProvider client={queryClient}>
      <ValueListContext value={list}>
        <Panel calls={calls} />
      </ValueListContext>
    </QueryClientProvider>,
    address,
  );
  return { questions, history };
}

function sortedQuery(search: string): string {
  return [...new URLSearchParams(search)].map(String).toSorted().join('&');
}

const toggle = page.getByRole('button', { name: 'Top values' });
const card = (name: string) => page.getByRole('region', { name, exact: true });

afterEach(() => localSettings.json('top_values_open', z.boolean()).remove());

describe('autonomous systems among the top values', () => {
  const user = { id: 1, name: 'Olga', email: 'o@x.y', panel: 'user', hasAllApps: true, isSuperAdmin: false } as const;
  const signIn = (permissions: Permission[]) =>
    sessionStore.open({
      user: { ...user, roles: [], badges: [], permissions },
      token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
    });
  const systems = {
    ...sample('asn'),
    values: [
      ...samples.asn,
      { value: '64500', name: null, count: 3 },
      { value: 'none', name: null, count: 1 },
      { value: '0', name: null, count: 1 },
    ],
  };
  const answer: Answer = ({ field }) => Promise.resolve(field === 'asn' ? systems : sample(field));
  const select = card('Autonomous system').getByRole('button', { name: 'Select autonomous systems' });

  it('[BULK-016] are ticked and banned through the check', async () => {
    const { posts, respond } = createBulkServer('asn');
    stubApi((url, init) => respond(url, init) ?? new Response(null, { status: 500 }));
    signIn(['manager_settings_asns']);
    await show(answer);
    await toggle.click();
    await select.click();
    await expect.element(page.getByRole('checkbox')).toHaveLength(2);
    await page.getByRole('checkbox', { name: 'Select AS64500' }).click();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Ban receive' }).click();
    await expect.element(page.getByRole('dialog').getByText('2 autonomous systems: will change')).toBeVisible();
    expect(posts[0]?.body).toEqual({ change: { action: 'asn.ban', params: { isBanReceive: true } }, target: { keys: ['64500'] } });
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    filters.set({ search: 'other' });
    await expect.element(page.getByRole('checkbox')).toHaveLength(0);
  });

  it('[BULK-016] are not ticked without the permission to ban, nor are other values', async () => {
    signIn([]);
    await show(answer);
    await toggle.click();
    await expect.element(card('Autonomous system')).toMatchTextContent(/AS64500/);
    expect(page.getByRole('button', { name: /^Select/ }).elements()).toHaveLength(0);
  });
});

describe('top values', () => {
  it('[INV-043] counts nothing while it is closed, which it is at first; the device remembers that it was opened', async () => {
    const { questions } = await show();
    await expect.element(toggle).toHaveAttribute('aria-expanded', 'false');
    expect(questions).toEqual([]);
    await toggle.click();
    await expect.element(card('Country')).toBeVisible();
    expect(questions.map(({ field }) => field)).toEqual([...topFields]);
    await cleanup();
    await show();
    await expect.element(toggle).toHaveAttribute('aria-expanded', 'true');
    await toggle.click();
    await expect.element(card('Country')).not.toBeInTheDocument();
  });

  it('[INV-043, ASNX-101] shows each value with its count and share, filters by it, and excludes it beside those excluded before', async () => {
    const { history } = await show(undefined, '/page?geoNot=FR');
    await toggle.click();
    for (const [button, search] of [
      ['Filter for Germany: 30 requests, 75.0 %', '?geoNot=FR&geo=DE'],
      ['Exclude Germany', '?geoNot=FR&geoNot=DE'],
      ['Filter for No label: 20 requests, 50.0 %', '?geoNot=FR&bot=none'],
      ['Filter for Bet: 30 requests, 75.0 %', '?geoNot=FR&appId=12'],
      ['Exclude with an error', '?geoNot=FR&typeNot=error'],
      ['Filter for AS13335 Cloudflare: 20 requests, 50.0 %', '?geoNot=FR&asn=13335'],
      ['Exclude AS13335 Cloudflare', '?geoNot=FR&asnNot=13335'],
      ['Exclude No country', '?geoNot=FR&geoNot=none'],
      ['Filter for No country: 10 requests, 25.0 %', '?geoNot=FR&geo=none'],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await expect.poll(() => sortedQuery(history.location.search)).toBe(sortedQuery(search));
      history.back();
      await expect.poll(() => history.location.search).toBe('?geoNot=FR');
    }
    await expect.element(page.getByRole('button', { name: /⟦RLO⟧gnirps/ }).first()).toBeVisible();
    await expect.element(card('Country')).toMatchTextContent(/No country1025\.0 %/);
    await expect.element(card('Error')).toHaveTextContent('ErrorNo request has an error.');
  });

  it('[INV-043] loads each field by itself: one waits, one fails and is counted again, one says that it counted a part', async () => {
    let isAway = true;
    await show(({ field }) => {
      if (field === 'asn') return new Promise(() => undefined);
      if (field === 'bot' && isAway) return Promise.reject(new Error('Too many calls'));
      return Promise.resolve({ ...sample(field), ...(field === 'stream' ? { counted: 'newest', rows: 200_000 } : {}) });
    });
    await toggle.click();
    await expect.element(card('Stream')).toMatchTextContent(/of the newest 200,000 rows/);
    await expect.element(card('Autonomous system').getByLabelText('Counting')).toBeVisible();
    await expect.element(card('Bot label')).toMatchTextContent(/Could not be counted: Too many calls/);
    isAway = false;
    await card('Bot label').getByRole('button', { name: 'Try again' }).click();
    await expect.element(card('Bot label')).toMatchTextContent(/No label20/);
  });

  it('[INV-043] follows the filters of the list, and ends the calls of those before', async () => {
    const { questions } = await show(() => new Promise(() => undefined));
    await toggle.click();
    await expect.poll(() => questions.length).toBe(topFields.length);
    filters.set({ search: 'c-2' });
    await expect.poll(() => questions.length).toBe(2 * topFields.length);
    expect(questions.at(-1)?.query).toEqual({ search: 'c-2' });
    await expect.poll(() => questions.map(({ signal }) => signal.aborted)).toEqual(questions.map((_, index) => index < topFields.length));
  });
});

import type { KnownSystems } from '@switchyard/contract/asns';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../shared/api/query-client.ts';
import { sampleRequest } from '../testing/sample-request.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { showRequests } from './testing/show-requests.tsx';

const note = page.getByText(/^Autonomous systems are known from/);

async function show(query: string, known: KnownSystems): Promise<string[]> {
  const calls: string[] = [];
  await showRequests({ rows: [sampleRequest(5)], address: `/page${query}`, permissions: ['manager_app_all_requests'], calls, known });
  await expect.element(page.getByRole('grid')).toBeVisible();
  return calls;
}

beforeEach(() => queryClient.clear());
afterEach(() => sessionStore.close());

it('[ASNX-121] a list that is filtered by system says from which day on systems are known, until all are', async () => {
  await show('?asn=64500', { known_from: '2026-11-02', percent: 37, is_running: true });
  await expect
    .element(note)
    .toHaveTextContent('Autonomous systems are known from 02.11.2026 on. Older requests are still being filled in (37 %).');
});

it('[ASNX-121] says that nothing fills them in, where that is so', async () => {
  await show('?asnNot=0', { known_from: '2026-11-02', percent: 37, is_running: false });
  await expect.element(note).toHaveTextContent('Autonomous systems are known from 02.11.2026 on. Older requests have none.');
});

it('[ASNX-121] asks again every minute, and says nothing any more once all are known', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] });
  try {
    const known: KnownSystems = { known_from: '2026-11-02', percent: 37, is_running: true };
    await show('?asn=64500', known);
    await vi.waitFor(() => expect(note.elements()).toHaveLength(1));
    Object.assign(known, { known_from: null, percent: 100 });
    await vi.advanceTimersByTimeAsync(61_000);
    await vi.waitFor(() => expect(note.elements()).toEqual([]));
  } finally {
    vi.useRealTimers();
  }
});

const isKnownCall = (url: string): boolean => url.includes('/asn/known');

it('[ASNX-121] says nothing when all are known', async () => {
  const calls = await show('?asn=64500', { known_from: null, percent: 100, is_running: false });
  await expect.poll(() => calls.filter(isKnownCall)).toHaveLength(1);
  expect(note.elements()).toEqual([]);
});

it('[ASNX-121] does not ask without such a filter', async () => {
  const calls = await show('?geo=DE', { known_from: '2026-11-02', percent: 37, is_running: true });
  expect(calls.filter(isKnownCall)).toEqual([]);
  expect(note.elements()).toEqual([]);
});

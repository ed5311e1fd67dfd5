import { afterFile } from './after-file.ts';
import { buildTestApi, type CallOptions } from './build-test-api.ts';
import { createApp } from './factories/app.ts';
import { signInAs, signInAsServer } from './sign-in-as.ts';
import { createTestDatabase } from './test-database.ts';

/** When the clock of tests that hand events in starts. */
export const startsAt = new Date('2026-11-20T12:00:00Z');

/** An API that keeps events 90 days, with two apps, a traffic server that sends events and a Super Admin who reads them. */
export async function startEventIngestion() {
  const { databases } = await createTestDatabase();
  const api = await buildTestApi({ databases, startsAt, env: { EVENT_RETENTION_DAYS: '90' } });
  afterFile(async () => api.app.close());
  await api.maintain();
  const server: Record<string, string> = (await signInAsServer(databases)).headers;
  const staff: Record<string, string> = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
  const app = await createApp(databases, { bundle: 'com.Acme.bet' });
  const other = await createApp(databases, { bundle: 'com.other' });
  let ids = 0;
  return {
    api,
    /** Headers of the traffic server. */
    server,
    /** Headers of the Super Admin. */
    staff,
    app,
    other,
    /** Sends a document to ingestion as the traffic server. */
    send: (body: CallOptions['body'], headers: Record<string, string> = {}) =>
      api.call('POST', '/api/ingest/events', { headers: { ...server, ...headers }, body }),
    /** A row that is accepted, with the changes given. */
    event: (change: Record<string, unknown> = {}) => ({
      app_id: app.id,
      type: 'create',
      date: '2026-11-20T10:11:12.345678Z',
      ip: '203.0.113.9',
      ...change,
    }),
    /** Rows of All requests as a person sees them. */
    list: async (query: string) => (await api.call('GET', `/api/all-requests?${query}`, { headers: staff })).body.data,
    /** A UUID of an event that was not given before. */
    newId: () => `01936b0e-7c1e-7a52-9f0b-${String((ids += 1)).padStart(12, '0')}`,
  };
}

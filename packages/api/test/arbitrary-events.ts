import { requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { sampleEvent } from './sample-event.ts';

/** Noon of a day long past, so that tests own their days. */
export const testEpoch = Date.UTC(2026, 9, 14, 12) * 1000;
const day = 86_400_000_000;

/** Requests of few apps, countries and streams within three weeks, so that roll-up rows are shared and days are skipped. */
export const arbitraryEvent: fc.Arbitrary<NewEvent> = fc
  .record({
    uuid: fc.uuid(),
    app_id: fc.constantFrom(1, 2, 3),
    type: fc.constantFrom(...requestTypes),
    // Half of them on few instants, so that sorts have ties.
    occurred_at: fc.oneof(
      fc.integer({ min: testEpoch - 10 * day, max: testEpoch + 10 * day }),
      fc.constantFrom(testEpoch, testEpoch - 1, testEpoch + day, testEpoch - 9 * day),
    ),
    ip: fc.constantFrom('203.0.113.9', '203.0.113.10', '198.51.100.4', '2001:db8::1', '10.1.2.3'),
    client_uid: fc.constantFrom('', 'c-1', 'C-1', 'c-10', 'c_1', 'c%1', 'Ünicode', 'x'.repeat(128)),
    stream_uid: fc.constantFrom('', 'st_1', 'st_2'),
    country: fc.constantFrom('', 'DE', 'US', 'FR'),
    bot: fc.constantFrom('', '', 'CF', 'BOT', 'CF L1', 'NEW'),
    user_agent: fc.constantFrom(null, 'Mozilla/5.0'),
    body_request: fc.constantFrom(null, {}, { gaid: '7c1e' }),
    error: fc.constantFrom(null, null, { exception_type: 'Notice' }, { message: 'Timeout' }),
    postbacks_domain: fc.constantFrom('', 'pb.example'),
    is_qa: fc.boolean(),
    asn: fc.constantFrom('', '0', '64500', '13335'),
    server_id: fc.constantFrom(null, 1, 2),
  })
  .map(sampleEvent);

/** Stores requests, which arrive in no order of their times, in batches. */
export async function storeInBatches(store: EventStore, rows: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 150) await store.insertEvents(rows.slice(start, start + 150));
}

/** Stores 400 arbitrary requests. */
export async function storeArbitraryEvents(store: EventStore, seed: number): Promise<NewEvent[]> {
  const rows = fc.sample(arbitraryEvent, { numRuns: 400, seed });
  await storeInBatches(store, rows);
  return rows;
}

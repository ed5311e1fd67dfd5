import { ingestedEvent } from '@switchyard/contract/ingest';
import { randomUUIDv7 } from 'node:crypto';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';

/** Values that ingestion reads where a traffic server sends only the required fields. */
const leastRow = ingestedEvent.parse({ type: 'create', date: '2026-10-14 12:00:00', ip: '203.0.113.9' });

/** A create event of app 1 at the given time, new at each call. Values that are not given are the defaults of ingestion. */
export function sampleEvent(values: Partial<NewEvent> & Pick<NewEvent, 'occurred_at'>): NewEvent {
  return {
    ...leastRow,
    uuid: randomUUIDv7(),
    app_id: 1,
    stream_uid: '',
    country: '',
    bot: '',
    error: null,
    postbacks_domain: '',
    is_qa: false,
    server_id: null,
    asn: '',
    ...values,
  };
}

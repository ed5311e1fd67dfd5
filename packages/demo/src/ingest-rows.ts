import { formatDateTime, formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import type { ingestedStream } from '@switchyard/contract/ingest';
import type { z } from 'zod';
import type { DemoStream } from './demo-streams.ts';
import type { Random } from './seeded-random.ts';
import type { EventFacts } from './simulator-visits.ts';

/** A row of `POST ingest/events` ready to be sent. */
export type EventRow = EventFacts & { id: string; date: string };

/** A UUID v7 (RFC 9562) of this moment; its random part comes from the given sequence. */
export function uuidV7(at: Microseconds, random: Random): string {
  const time = Math.floor(at / 1000)
    .toString(16)
    .padStart(12, '0');
  const variant = random.pick(['8', '9', 'a', 'b']);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.hex(3)}-${variant}${random.hex(3)}-${random.hex(12)}`;
}

/** The row of something that happened at this moment. */
export function eventRowAt(at: Microseconds, facts: EventFacts, random: Random): EventRow {
  return { id: uuidV7(at, random), date: `${formatMicroseconds(at).replace(' ', 'T')}Z`, ...facts };
}

const day = 86_400_000_000;

/** The row of `POST ingest/streams` of a demo stream in a demo that was loaded at this moment. */
export function streamRowOf(stream: DemoStream, loadedAt: Microseconds): z.input<typeof ingestedStream> {
  return {
    bundle: stream.bundle,
    uid: stream.uid,
    name: stream.name,
    buyer_email: stream.buyerEmail,
    rules: { country: [...stream.countries] },
    offer: stream.offer,
    level_cloaking: stream.levelCloaking,
    created_at: formatDateTime(loadedAt - stream.createdDaysAgo * day),
    updated_at: formatDateTime(loadedAt - stream.updatedDaysAgo * day),
  };
}

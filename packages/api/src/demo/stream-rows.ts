import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type { streamDelivery } from '@switchyard/contract/ingest-streams';
import type { z } from 'zod';
import type { DemoStream } from './demo-streams.ts';

const day = 86_400_000_000;

/** The row of `POST ingest/streams` of a demo stream in a demo that was loaded at this moment. */
export function streamRowOf(stream: DemoStream, loadedAt: Microseconds): z.input<typeof streamDelivery> {
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

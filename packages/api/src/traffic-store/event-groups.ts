import type { Dimension } from './event-filter-rules.ts';
import type { GroupKey } from './event-store.ts';

/** The dimension of roll-ups behind each key; null: time, or what only the events know. */
export const dimensionOfGroup: Readonly<Record<GroupKey, Dimension | null>> = {
  app: 'app_id',
  country: 'country',
  stream: 'stream_uid',
  asn: 'asn',
  type: 'type',
  day: null,
  hour: null,
  server: null,
};

import { quoteName } from '../schema.ts';

/**
 * Merges about ten parts of one size instead of about five, so that an event is merged fewer times: with all projections, merging took
 * more of the engine's time than inserting. The running week has some more parts meanwhile.
 */
export function widenMerges(cluster: string | null): string[] {
  const table = cluster === null ? 'events' : `events_local on cluster ${quoteName(cluster)}`;
  return [`alter table ${table} modify setting merge_selector_base = 10`];
}

import { changedTable } from '../schema.ts';

/**
 * Merges an event fewer times: with all projections, merging took more of the engine's time than inserting. About ten parts of one size are
 * merged instead of about five, and projections are made by the first merge instead of the insert: from many events at once, where an insert
 * makes small ones that are merged again. Until then the events of the last inserts are read without them.
 */
export function cheapenMerges(cluster: string | null): string[] {
  const table = changedTable(cluster);
  const settings = 'merge_selector_base = 10, materialize_projections_on_insert = 0, materialize_projections_on_merge = 1';
  return [`alter table ${table} modify setting ${settings}`];
}

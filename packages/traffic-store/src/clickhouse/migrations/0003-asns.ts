import { quoteName } from '../schema.ts';

const column = `add column if not exists asn LowCardinality(String) default ''`;

/** The autonomous system of each event, '' for events that were stored before, and what each system sent. */
export function addAsns(cluster: string | null): string[] {
  const on = cluster === null ? '' : ` on cluster ${quoteName(cluster)}`;
  const table = cluster === null ? 'events' : `events_local${on}`;
  return [
    `alter table ${table} ${column}`,
    ...(cluster === null ? [] : [`alter table events${on} ${column}`]),
    `alter table ${table} add projection if not exists by_asn_hour (
      select asn, app_id, toStartOfHour(occurred_at), type, flags, count(), min(id), max(id)
      group by asn, app_id, toStartOfHour(occurred_at), type, flags)`,
    `alter table ${table} materialize projection by_asn_hour`,
  ];
}

import { changedTable } from '../schema.ts';

/** The least and the greatest address and client of each app and week, which tell whether a search matches everything. */
export function addExtents(cluster: string | null): string[] {
  const table = changedTable(cluster);
  return [
    `alter table ${table} add projection if not exists by_app (
      select app_id, min(ip), max(ip), min(client_key), max(client_key) group by app_id)`,
    `alter table ${table} materialize projection by_app`,
  ];
}

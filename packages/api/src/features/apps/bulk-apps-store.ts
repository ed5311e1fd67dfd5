import { sql, type Selectable } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { isInScope } from '../../database/sql-conditions.ts';
import type { AppsTable } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** An app with everything that bulk changes set. */
export type BulkApp = Pick<
  Selectable<AppsTable>,
  'id' | 'name' | 'domain' | 'version' | 'deleted_at' | 'vertical' | 'proxy_cache_seconds' | 'response_message'
> & {
  buyer_ids: number[];
  staff_ids: number[];
  links: { id: number; server_id: number; is_only_cf: boolean }[];
};

/** Apps in the scope, locked in order of id until the transaction ends. */
export async function lockApps(tx: OpenTransaction, ids: readonly number[], scope: AppScope): Promise<BulkApp[]> {
  await sql`select from apps where id = any(${ids}::bigint[]) and ${isInScope('id', scope)} order by id for update`.execute(tx);
  // Read by a later statement than the one that waited, so that it sees what others committed meanwhile.
  const { rows } = await sql<BulkApp>`
    select id, name, domain, version, deleted_at, vertical, proxy_cache_seconds, response_message,
      array(select b.account_id from app_buyers b join accounts a on a.id = b.account_id
        where b.app_id = apps.id and a.deleted_at is null order by b.account_id) as buyer_ids,
      array(select account_id from app_accounts where app_id = apps.id order by account_id) as staff_ids,
      coalesce((select jsonb_agg(jsonb_build_object('id', link.id, 'server_id', link.server_id, 'is_only_cf', link.is_only_cf) order by link.id)
        from check_domains link join traffic_servers server on server.id = link.server_id
        where link.app_id = apps.id and server.deleted_at is null), '[]') as links
    from apps where id = any(${ids}::bigint[]) and ${isInScope('id', scope)}
  `.execute(tx);
  return rows;
}

import type { CheckDomain } from '@switchyard/contract/apps';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely, type Selectable, type SqlBool } from 'kysely';
import type { CheckDomainsTable, Tables } from '../../database/tables.ts';

export type ListedCheckDomain = Pick<
  Selectable<CheckDomainsTable>,
  'id' | 'app_id' | 'server_id' | 'is_bind' | 'ssl_at' | 'registrar' | 'is_only_cf' | 'status' | 'error' | 'next_stage_at'
> & { server_name: string };

/** Links of these apps to traffic servers, in order of id. */
export async function listCheckDomains(db: Kysely<Tables>, appIds: readonly number[]): Promise<ListedCheckDomain[]> {
  return db
    .selectFrom('check_domains')
    .innerJoin('traffic_servers', 'traffic_servers.id', 'check_domains.server_id')
    .select([
      'check_domains.id',
      'check_domains.app_id',
      'check_domains.server_id',
      'traffic_servers.name as server_name',
      'check_domains.is_bind',
      'check_domains.ssl_at',
      'check_domains.registrar',
      'check_domains.is_only_cf',
      'check_domains.status',
      'check_domains.error',
      'check_domains.next_stage_at',
    ])
    .where('traffic_servers.deleted_at', 'is', null)
    .where(sql<SqlBool>`check_domains.app_id = any(${appIds}::int[])`)
    .orderBy('check_domains.id')
    .execute();
}

/** The CheckDomain of the wire. */
export function toCheckDomain(link: ListedCheckDomain): CheckDomain {
  return {
    id: link.id,
    server_id: link.server_id,
    server_name: link.server_name,
    is_bind: link.is_bind,
    ssl_at: wireDate(link.ssl_at),
    registrar: link.registrar,
    is_only_cf: link.is_only_cf,
    status: link.status,
    error: link.error,
    next_stage_at: wireDate(link.next_stage_at),
  };
}

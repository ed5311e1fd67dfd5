import type { CheckDomain } from '@switchyard/contract/apps';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { CheckDomainsTable, Tables } from '../../database/tables.ts';

export type ListedCheckDomain = Pick<
  Selectable<CheckDomainsTable>,
  'id' | 'app_id' | 'server_id' | 'is_bind' | 'ssl_at' | 'registrar' | 'is_only_cf' | 'status' | 'error' | 'next_stage_at'
> & { server_name: string };

/** Links of these apps to traffic servers, in order of id. */
export async function listCheckDomains(db: Kysely<Tables>, appIds: readonly number[]): Promise<ListedCheckDomain[]> {
  const { rows } = await sql<ListedCheckDomain>`
    select link.id, link.app_id, link.server_id, server.name as server_name, link.is_bind, link.ssl_at, link.registrar, link.is_only_cf,
      link.status, link.error, link.next_stage_at
    from check_domains link join traffic_servers server on server.id = link.server_id
    where server.deleted_at is null and link.app_id = any(${appIds}::int[]) order by link.id
  `.execute(db);
  return rows;
}

/** The CheckDomain of the wire. */
export function toCheckDomain({ app_id: _appId, ...link }: ListedCheckDomain): CheckDomain {
  return { ...link, ssl_at: wireDate(link.ssl_at), next_stage_at: wireDate(link.next_stage_at) };
}

import type { EdgeApp } from '@switchyard/contract/edge';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { AppsTable, CheckDomainsTable, Tables } from '../../database/tables.ts';
import { existing, readSnapshot } from '../../database/transaction.ts';
import { isPresent } from '../black-ips/present-entries-lookup.ts';

/** Increases with every committed change of a configuration. */
export async function getRevision(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ revision: number }>`select revision from edge_revision`.execute(db);
  return existing(rows[0]).revision;
}

export type LinkedAppRow = Pick<Selectable<AppsTable>, keyof EdgeApp & keyof AppsTable> &
  Pick<Selectable<AppsTable>, 'create_apf_dev_key' | 'firebase_app_id'> &
  Pick<Selectable<CheckDomainsTable>, 'server_id' | 'status' | 'is_only_cf'> & { link_id: number };

export type EdgeState = {
  revision: number;
  servers: { id: number; name: string; token_hash: Buffer }[];
  /** By app id. */
  links: LinkedAppRow[];
  blackList: string[];
  blackNetworks: string[];
  readAt: Date;
  /** When the first entry of the black list expires; null if none does. */
  nextExpiry: Date | null;
  bans: { code: number; is_ban_create: boolean; is_ban_receive: boolean }[];
};

/** The data of the configurations of all servers, from one database snapshot. */
export async function getEdgeState(db: Kysely<Tables>, now: Date): Promise<EdgeState> {
  return readSnapshot(db, async (tx) => {
    const revision = await getRevision(tx);
    const { rows: servers } = await sql<EdgeState['servers'][number]>`
      select id, name, token_hash from traffic_servers where deleted_at is null and ingest_enabled and token_hash is not null
    `.execute(tx);
    const { rows: links } = await sql<LinkedAppRow>`
      select apps.id, link.id as link_id, link.server_id, link.status, link.is_only_cf,
        apps.name, apps.bundle, apps.domain, apps.vertical, apps.app_mode, apps.response_mode, apps.response_message, apps.proxy_api_url,
        apps.static_response_path, apps.proxy_cache_seconds, apps.cloak_mode, apps.adspect_cloak, apps.white_user_agent,
        apps.conversion_api_type, apps.create_apf_dev_key, apps.firebase_app_id, apps.updated_at
      from check_domains link join apps on apps.id = link.app_id where apps.deleted_at is null order by apps.id
    `.execute(tx);
    const { rows: blackList } = await sql<{ ip: string }>`select ip from black_ips where ${isPresent(now)} order by ip`.execute(tx);
    const { rows: networks } = await sql<{ network: string }>`
      select network from black_networks where ${isPresent(now)} order by network
    `.execute(tx);
    const { rows: expiries } = await sql<{ at: Date | null }>`
      select least(
        (select min(expires_at) from black_ips where expires_at > ${now}), (select min(expires_at) from black_networks where expires_at > ${now})
      ) as at
    `.execute(tx);
    const { rows: bans } = await sql<EdgeState['bans'][number]>`
      select code, is_ban_create, is_ban_receive from asns where is_ban_create or is_ban_receive order by code
    `.execute(tx);
    return {
      revision,
      servers,
      links,
      blackList: blackList.map(({ ip }) => ip),
      blackNetworks: networks.map(({ network }) => network),
      readAt: now,
      nextExpiry: expiries[0]?.at ?? null,
      bans,
    };
  });
}

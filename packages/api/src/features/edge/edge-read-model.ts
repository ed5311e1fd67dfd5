import type { EdgeApp } from '@switchyard/contract/edge';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { AppsTable, CheckDomainsTable, Tables } from '../../database/tables.ts';
import { readSnapshot } from '../../database/transaction.ts';

/** Increases with every committed change of a configuration. */
export async function getRevision(db: Kysely<Tables>): Promise<number> {
  return (await db.selectFrom('edge_revision').select('revision').executeTakeFirstOrThrow()).revision;
}

const appColumns = [
  'apps.name',
  'apps.bundle',
  'apps.domain',
  'apps.vertical',
  'apps.app_mode',
  'apps.response_mode',
  'apps.response_message',
  'apps.proxy_api_url',
  'apps.static_response_path',
  'apps.proxy_cache_seconds',
  'apps.cloak_mode',
  'apps.adspect_cloak',
  'apps.white_user_agent',
  'apps.conversion_api_type',
  'apps.create_apf_dev_key',
  'apps.firebase_app_id',
  'apps.updated_at',
] as const;

export type LinkedAppRow = Pick<Selectable<AppsTable>, keyof EdgeApp & keyof AppsTable> &
  Pick<Selectable<AppsTable>, 'create_apf_dev_key' | 'firebase_app_id'> &
  Pick<Selectable<CheckDomainsTable>, 'server_id' | 'status' | 'is_only_cf'> & { link_id: number };

export type EdgeState = {
  revision: number;
  servers: { id: number; name: string; token_hash: Buffer }[];
  /** By app id. */
  links: LinkedAppRow[];
  blackList: string[];
  bans: { code: number; is_ban_create: boolean; is_ban_receive: boolean }[];
};

/** The data of the configurations of all servers, from one database snapshot. */
export async function getEdgeState(db: Kysely<Tables>): Promise<EdgeState> {
  return readSnapshot(db, async (tx) => {
    const revision = await getRevision(tx);
    const servers = await tx
      .selectFrom('traffic_servers')
      .select(['id', 'name', sql<Buffer>`token_hash`.as('token_hash')])
      .where('deleted_at', 'is', null)
      .where('ingest_enabled', '=', true)
      .where('token_hash', 'is not', null)
      .execute();
    const links = await tx
      .selectFrom('check_domains as link')
      .innerJoin('apps', 'apps.id', 'link.app_id')
      .select(['apps.id', 'link.id as link_id', 'link.server_id', 'link.status', 'link.is_only_cf', ...appColumns])
      .where('apps.deleted_at', 'is', null)
      .orderBy('apps.id')
      .execute();
    const blackList = await tx.selectFrom('black_ips').select('ip').orderBy('ip').execute();
    const bans = await tx
      .selectFrom('asns')
      .select(['code', 'is_ban_create', 'is_ban_receive'])
      .where((eb) => eb.or([eb('is_ban_create', '=', true), eb('is_ban_receive', '=', true)]))
      .orderBy('code')
      .execute();
    return { revision, servers, links, blackList: blackList.map(({ ip }) => ip), bans };
  });
}

import type { linkStatuses } from '@switchyard/contract/apps';
import { storedDomain } from '@switchyard/contract/host-name';
import { sql, type Updateable } from 'kysely';
import { isInScope } from '../../database/sql-conditions.ts';
import type { CheckDomainsTable } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import { listCheckDomains, type ListedCheckDomain } from './links-lookup.ts';

/** Statuses of a link with a pending or running job. */
const runningStatuses = ['add', 'bind', 'ssl'] as const;
export type LinkStage = (typeof runningStatuses)[number];

export type LinkedApp = { id: number; domain: string; deleted_at: Date | null };
export type LinkTarget = { id: number; name: string };
type StoredLink = { id: number; status: (typeof linkStatuses)[number]; is_only_cf: boolean; ticket: number };

/** The app with this saved domain, locked; undefined when there is none within the scope. */
export async function lockAppOfDomain(tx: OpenTransaction, domain: string, scope: AppScope): Promise<LinkedApp | undefined> {
  const { rows } = await sql<LinkedApp>`
    select id, domain, deleted_at from apps where lower(domain) in (lower(${domain}), ${storedDomain(domain)}) and ${isInScope('id', scope)}
    order by lower(domain) = lower(${domain}) desc limit 1 for update
  `.execute(tx);
  return rows[0];
}

/** The app of a link, locked; undefined when the link does not exist or its app lies outside the scope. */
export async function lockAppOfLink(tx: OpenTransaction, linkId: number, scope: AppScope): Promise<LinkedApp | undefined> {
  const { rows } = await sql<LinkedApp>`
    select id, domain, deleted_at from apps
    where id = (select app_id from check_domains where id = ${linkId}) and ${isInScope('id', scope)} for update
  `.execute(tx);
  return rows[0];
}

/** A server, locked against deletion until the transaction ends; undefined for a deleted one. */
export async function lockServer(tx: OpenTransaction, id: number): Promise<LinkTarget | undefined> {
  const { rows } = await sql<LinkTarget>`
    select id, name from traffic_servers where id = ${id}::bigint and deleted_at is null for share
  `.execute(tx);
  return rows[0];
}

/** The link between an app and a server, locked. */
export async function lockLink(tx: OpenTransaction, ids: { app_id: number; server_id: number }): Promise<StoredLink | undefined> {
  const { rows } = await sql<StoredLink>`
    select id, status, is_only_cf, ticket from check_domains
    where app_id = ${ids.app_id} and server_id = ${ids.server_id} for update
  `.execute(tx);
  return rows[0];
}

type NewStart = { is_only_cf: boolean; next_stage_at: Date; updated_at: Date };

/** Adds a link at its first stage. */
export async function insertLink(
  tx: OpenTransaction,
  link: NewStart & { app_id: number; server_id: number },
): Promise<{ id: number; ticket: number }> {
  return tx
    .insertInto('check_domains')
    .values({ ...link, status: 'add', created_at: link.updated_at })
    .returning(['id', 'ticket'])
    .executeTakeFirstOrThrow();
}

/** Puts a link back to its first stage; jobs of its former ticket do nothing from then on. */
export async function updateRestarted(tx: OpenTransaction, id: number, start: NewStart): Promise<{ id: number; ticket: number }> {
  return tx
    .updateTable('check_domains')
    .set((eb) => ({ ...start, status: 'add', error: null, ticket: eb('ticket', '+', 1) }))
    .where('id', '=', id)
    .returning(['id', 'ticket'])
    .executeTakeFirstOrThrow();
}

type RestartedLink = { id: number; server_id: number; server_name: string; is_only_cf: boolean; status: string; ticket: number };

/**
 * Puts all links of an app back to their first stage and gives them as they were, by id. They lose what servers told of them, which
 * holds for one domain only.
 */
export async function updateAllReset(tx: OpenTransaction, appId: number, at: Date): Promise<RestartedLink[]> {
  const { rows } = await sql<RestartedLink>`
    select link.id, link.server_id, server.name as server_name, link.is_only_cf, link.status, link.ticket
    from check_domains link join traffic_servers server on server.id = link.server_id
    where link.app_id = ${appId} order by link.id for update of link
  `.execute(tx);
  await sql`
    update check_domains set status = 'add', is_bind = false, ssl_at = null, registrar = null, error = null,
      ticket = ticket + 1, next_stage_at = ${at}, updated_at = ${at}
    where app_id = ${appId}
  `.execute(tx);
  return rows;
}

/** The link with the columns of its wire form. */
export async function findListedLink(tx: OpenTransaction, ids: { id: number; app_id: number }): Promise<ListedCheckDomain | undefined> {
  const links = await listCheckDomains(tx, [ids.app_id]);
  return links.find((link) => link.id === ids.id);
}

/** Deletes a link; undefined when it does not exist or its server is deleted. */
export async function deleteLink(
  tx: OpenTransaction,
  id: number,
): Promise<{ server_id: number; server_name: string; ticket: number; is_only_cf: boolean } | undefined> {
  const { rows } = await sql<{ server_id: number; server_name: string; ticket: number; is_only_cf: boolean }>`
    delete from check_domains using traffic_servers
    where check_domains.id = ${id} and traffic_servers.id = check_domains.server_id and traffic_servers.deleted_at is null
    returning server_id, traffic_servers.name as server_name, ticket, is_only_cf
  `.execute(tx);
  return rows[0];
}

/** A server as the provisioner needs it. */
export type LinkServer = { id: number; url: string; token_hash: Buffer | null };
/** A link whose job is due, with the data of the job. */
export type DueLink = {
  id: number;
  app_id: number;
  domain: string;
  is_archived: boolean;
  stage: LinkStage;
  is_only_cf: boolean;
  server: LinkServer;
};

/** Null when the token may not authenticate. */
const usableTokenHash = sql`case when ingest_enabled then token_hash end`;

/**
 * The link of the job with this ticket; undefined when the job is outdated. The domain is the one that the job is about: a change of
 * an app's domain makes the jobs of its links outdated.
 */
export async function findDueLink(tx: OpenTransaction, job: { linkId: number; ticket: number }): Promise<DueLink | undefined> {
  const { rows } = await sql<Omit<DueLink, 'server'> & Omit<LinkServer, 'id'> & { server_id: number }>`
    select link.id, link.app_id, apps.domain, apps.deleted_at is not null as is_archived, link.status as stage, link.is_only_cf,
      server.id as server_id, server.url, ${usableTokenHash} as token_hash
    from check_domains link join apps on apps.id = link.app_id join traffic_servers server on server.id = link.server_id
    where link.id = ${job.linkId} and link.ticket = ${job.ticket} and link.status = any(${runningStatuses}) and server.deleted_at is null
  `.execute(tx);
  if (!rows[0]) return undefined;
  const { server_id: serverId, url, token_hash: tokenHash, ...link } = rows[0];
  return { ...link, server: { id: serverId, url, token_hash: tokenHash } };
}

/** A server that exists and is linked to no app with the domain; undefined when there is nothing to clean up on it. */
export async function findLeftServer(tx: OpenTransaction, left: { serverId: number; domain: string }): Promise<LinkServer | undefined> {
  const { rows } = await sql<LinkServer>`
    select id, url, ${usableTokenHash} as token_hash from traffic_servers
    where id = ${left.serverId} and deleted_at is null
      and not exists (
        select from check_domains link join apps on apps.id = link.app_id
        where link.server_id = ${left.serverId} and lower(apps.domain) = lower(${left.domain})
      )
  `.execute(tx);
  return rows[0];
}

/**
 * Takes advisory locks on the app and on the domain, both on this server, until the transaction ends; false when another transaction,
 * in any process, holds one of them. The domain may have been that of another app.
 */
export async function lockOnServer(
  tx: OpenTransaction,
  { appId, serverId, domain }: { appId: number; serverId: number; domain: string },
): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${appId}::int, ${serverId}::int)
      and pg_try_advisory_xact_lock(${-serverId}::int, hashtext(lower(${domain}))) as free
  `.execute(tx);
  return rows[0]?.free === true;
}

type LinkChange = Pick<Updateable<CheckDomainsTable>, 'status' | 'error' | 'next_stage_at' | 'is_bind' | 'ssl_at' | 'registrar'>;

/** Updates the link of a job and gives its new ticket; undefined, without a change, when the job is outdated. */
export async function updateLink(
  tx: OpenTransaction,
  job: { linkId: number; ticket: number },
  change: LinkChange & { updated_at: Date },
): Promise<number | undefined> {
  const row = await tx
    .updateTable('check_domains')
    .set((eb) => ({ ...change, ticket: eb('ticket', '+', 1) }))
    .where('id', '=', job.linkId)
    .where('ticket', '=', job.ticket)
    .returning('ticket')
    .executeTakeFirst();
  return row?.ticket;
}

/** Links whose next stage was due before an instant, with a new ticket each: their jobs were lost. */
export async function updateOverdue(tx: OpenTransaction, before: Date, now: Date): Promise<{ id: number; ticket: number }[]> {
  const { rows } = await sql<{ id: number; ticket: number }>`
    update check_domains set next_stage_at = ${now}, ticket = ticket + 1
    where id in (
      select id from check_domains
      where status in ('add', 'bind', 'ssl') and (next_stage_at is null or next_stage_at < ${before})
      order by id limit 1000 for update skip locked
    ) returning id, ticket
  `.execute(tx);
  return rows;
}

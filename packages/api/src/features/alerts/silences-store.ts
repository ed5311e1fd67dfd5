import type { AlertKind, AlertScope, Silence, WeeklyTimes } from '@switchyard/contract/alerts';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import { named } from '../../database/named.ts';
import type { Tables } from '../../database/tables.ts';
import { existing, unauditedStatement, type OpenTransaction } from '../../database/transaction.ts';
import { updateReferences } from '../../entities/entity-store.ts';
import { appsOfSilences, scopeOf } from './rules-store.ts';

/** A silence, with the kind and the scope of its rule. */
export type StoredSilence = { silence: Silence; ruleKind: AlertKind | null; ruleScope: AlertScope | null };

type SilenceRow = {
  id: number;
  note: string;
  kind: AlertKind | null;
  rule_id: number | null;
  rule_name: string | null;
  rule_kind: AlertKind | null;
  rule_scope: AlertScope | null;
  server_id: number | null;
  server_name: string | null;
  scope: AlertScope;
  starts_at: Date;
  ends_at: Date;
  weekly: WeeklyTimes | null;
  created_by: number | null;
  creator_name: string | null;
};

const selectSilences = sql`
  select silence.id, silence.note, silence.kind, silence.rule_id, rule.name as rule_name, rule.kind as rule_kind, silence.server_id,
    server.name as server_name, silence.starts_at, silence.ends_at, silence.weekly, silence.created_by, creator.name as creator_name,
    case when rule.id is not null then ${scopeOf('rule')} end as rule_scope, ${scopeOf('silence')} as scope
  from silences as silence left join alert_rules as rule on rule.id = silence.rule_id
  left join traffic_servers as server on server.id = silence.server_id left join accounts as creator on creator.id = silence.created_by`;

/** Silences that end after a moment, the one that ends last first. */
export async function listSilencesAfter(db: Kysely<Tables>, after: Date): Promise<StoredSilence[]> {
  const { rows } = await sql<SilenceRow>`${selectSilences} where silence.ends_at > ${after}
    order by silence.ends_at desc, silence.id desc`.execute(db);
  return rows.map(toSilence);
}

export async function findSilence(db: Kysely<Tables>, id: number): Promise<StoredSilence | undefined> {
  const { rows } = await sql<SilenceRow>`${selectSilences} where silence.id = ${id}`.execute(db);
  return rows[0] && toSilence(rows[0]);
}

/** The kind of a rule. */
export async function findRuleKind(db: Kysely<Tables>, id: number): Promise<AlertKind | undefined> {
  const { rows } = await sql<{ kind: AlertKind }>`select kind from alert_rules where id = ${id}`.execute(db);
  return rows[0]?.kind;
}

export async function isServer(db: Kysely<Tables>, id: number): Promise<boolean> {
  const { rows } = await sql`select from traffic_servers where id = ${id} and deleted_at is null`.execute(db);
  return rows.length > 0;
}

/** The number of silences that have not ended. No silence is added meanwhile. */
export async function countSilences(tx: OpenTransaction, now: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('silences'))`.execute(tx);
  const { rows } = await sql<{ total: number }>`select count(*) as total from silences where ends_at > ${now}`.execute(tx);
  return rows[0]?.total ?? 0;
}

export type NewSilence = {
  note: string;
  kind: AlertKind | null;
  ruleId: number | null;
  serverId: number | null;
  scope: AlertScope;
  startsAt: Date;
  endsAt: Date;
  weekly: WeeklyTimes | null;
  createdBy: number;
  now: Date;
};

/** Adds a silence and gives its id. */
export async function insertSilence(tx: OpenTransaction, silence: NewSilence): Promise<number> {
  const { scope } = silence;
  const { rows } = await sql<{ id: number }>`
    insert into silences (note, kind, rule_id, server_id, scope_apps, verticals, starts_at, ends_at, weekly, created_by, created_at)
    values (${silence.note}, ${silence.kind}, ${silence.ruleId}, ${silence.serverId}, ${scope.apps}, ${scope.verticals},
      ${silence.startsAt}, ${silence.endsAt}, ${silence.weekly === null ? null : JSON.stringify(silence.weekly)}::jsonb, ${silence.createdBy}, ${silence.now})
    returning id
  `.execute(tx);
  const { id } = existing(rows[0]);
  await updateReferences(tx, appsOfSilences, id, scope.app_ids);
  return id;
}

/** Ends a silence; false if it has ended. One that has not begun is deleted. */
export async function updateEnd(tx: OpenTransaction, id: number, now: Date): Promise<boolean> {
  const { rows: ended } =
    await sql`update silences set ends_at = ${now} where id = ${id} and ends_at > ${now} and starts_at < ${now} returning id`.execute(tx);
  const { rows: deleted } = await sql`delete from silences where id = ${id} and starts_at >= ${now} returning id`.execute(tx);
  return ended.length + deleted.length > 0;
}

/** A silence that was ended, with the beginning and the end that it had. */
export type EndedSilence = StoredSilence & { startedAt: Date; endsAt: Date };

/** Ends the silences that an account began or planned. */
export async function updateEndOfAll(tx: OpenTransaction, creatorId: number, now: Date): Promise<EndedSilence[]> {
  const { rows } = await sql<SilenceRow>`${selectSilences}
    where silence.created_by = ${creatorId} and silence.ends_at > ${now} order by silence.id for update of silence`.execute(tx);
  await sql`
    update silences set starts_at = least(starts_at, ${now}), ends_at = ${now} where id = any(${rows.map(({ id }) => id)}::int[])`.execute(
    tx,
  );
  return rows.map((row) => ({ ...toSilence(row), startedAt: row.starts_at, endsAt: row.ends_at }));
}

/** Deletes silences that ended before a moment. */
export async function deleteOldSilences(db: Kysely<Tables>, before: Date): Promise<void> {
  const unaudited = unauditedStatement('silences are kept for a time', db);
  await sql`delete from silences where ends_at < ${before}`.execute(unaudited);
}

function toSilence(row: SilenceRow): StoredSilence {
  return {
    silence: {
      id: row.id,
      note: row.note,
      kind: row.kind,
      rule: named(row.rule_id, row.rule_name),
      server: named(row.server_id, row.server_name),
      scope: row.scope,
      starts_at: wireDate(row.starts_at),
      ends_at: wireDate(row.ends_at),
      weekly: row.weekly,
      created_by: named(row.created_by, row.creator_name),
    },
    ruleKind: row.rule_kind,
    ruleScope: row.rule_scope,
  };
}

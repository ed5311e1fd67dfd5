import {
  measureOf,
  type AlertKind,
  type AlertRule,
  type AlertScope,
  type CreateRuleBody,
  type Measure,
  type RulesQuery,
  type UnheardReason,
} from '@switchyard/contract/alerts';
import { wireDate } from '@switchyard/contract/dates';
import { withoutStreams } from '@switchyard/contract/rule-filters';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { withinScope, type AppScope } from '@switchyard/contract/app-scope';
import { containsAlike, inNaturalOrder, isInScope } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import { existing, type OpenTransaction } from '../../database/transaction.ts';
import type { ReferenceTable } from '../../entities/entity-store.ts';
import { listUnheardRules } from './unheard-rules-lookup.ts';

/** A stored rule. */
export type StoredRule = CreateRuleBody & { id: number; version: number };
type RuleRow = Omit<AlertRule, 'created_at' | 'updated_at' | 'evaluated_at' | 'owner' | 'unheard'> & {
  evaluated_at: Date | null;
  owner_id: number | null;
  owner_name: string | null;
  created_at: Date;
  updated_at: Date;
};

export const channelsOfRules: ReferenceTable = { name: 'alert_rule_channels', entity: 'rule_id', reference: 'channel_id' };
export const appsOfRules: ReferenceTable = { name: 'alert_rule_apps', entity: 'rule_id', reference: 'app_id' };
export const appsOfSilences: ReferenceTable = { name: 'silence_apps', entity: 'silence_id', reference: 'app_id' };

/** SQL: the ids of the channels of a rule; null: all of them. */
export const channelIds = sql`case when not rule.all_channels
  then array(select channel_id from alert_rule_channels where rule_id = rule.id order by channel_id) end`;

/** SQL: the scope of a rule or a silence. */
export function scopeOf(owner: 'rule' | 'silence'): RawBuilder<unknown> {
  const { name, entity } = owner === 'rule' ? appsOfRules : appsOfSilences;
  const appIds = sql`array(select app_id from ${sql.table(name)} where ${sql.ref(entity)} = ${sql.ref(`${owner}.id`)} order by app_id)`;
  return sql`json_build_object('apps', ${sql.ref(`${owner}.scope_apps`)}, 'verticals', ${sql.ref(`${owner}.verticals`)}, 'app_ids', ${appIds})`;
}

/** SQL: whether a rule or a silence is of apps in a scope. One of chosen apps is that of somebody who sees one of them. */
export function isOfAppsIn(owner: 'rule' | 'silence', scope: AppScope): RawBuilder<SqlBool> {
  if (scope === 'all') return sql`true`;
  const { name, entity } = owner === 'rule' ? appsOfRules : appsOfSilences;
  const seesApp = sql`exists (select from ${sql.table(name)} where ${sql.ref(entity)} = ${sql.ref(`${owner}.id`)} and ${isInScope('app_id', scope)})`;
  return sql`(${sql.ref(`${owner}.scope_apps`)} <> 'chosen' or ${seesApp})`;
}

const columns = sql`rule.id, rule.name, rule.kind, rule.threshold, rule.further_thresholds, rule.pending_minutes, rule.window_minutes, rule.minimum, rule.comparison, rule.request_filter,
  rule.hold_minutes, rule.reminder_minutes, rule.severity, rule.is_on,
  ${channelIds} as channel_ids, ${scopeOf('rule')} as scope`;

/** Who reads rules, and when: the kinds that they may see, and their apps. */
export type RuleReader = { kinds: readonly AlertKind[]; scope: AppScope; now: Date };

function visible({ kinds, scope }: RuleReader) {
  return sql`rule.kind = any(${kinds}::text[]) and ${isOfAppsIn('rule', scope)}`;
}

function selectRules({ scope }: RuleReader) {
  return sql`select ${columns}, rule.owner_id, owner.name as owner_name, rule.created_at, rule.updated_at, rule.version,
      (select case when rule.is_on then coalesce(rule.unknown_since, evaluated_at) end from alert_evaluation) as evaluated_at,
      (select count(*) from incidents where rule_id = rule.id and resolved_at is null
        and (app_id is null or ${isInScope('app_id', scope)})) as open_incidents
    from alert_rules as rule left join accounts as owner on owner.id = rule.owner_id`;
}

/** A page of the rules that a reader may see, by name, and their number. */
export async function listVisibleRules(
  db: Kysely<Tables>,
  reader: RuleReader,
  { search, kind, unheard: isUnheard, page, limit }: Pick<RulesQuery, 'search' | 'kind' | 'unheard' | 'page' | 'limit'>,
): Promise<{ rows: AlertRule[]; total: number }> {
  const unheard = await unheardReasonsOf(db, reader);
  const isFound = sql`${visible(reader)} and ${search === undefined ? sql`true` : containsAlike(sql`rule.name`, search)}
    and ${kind === undefined ? sql`true` : sql`rule.kind = any(${kind}::text[])`}
    and ${isUnheard === undefined ? sql`true` : sql`(rule.id = any(${[...unheard.keys()]}::int[])) = ${isUnheard}`}`;
  const { rows } = await sql<RuleRow>`${selectRules(reader)} where ${isFound}
    order by ${inNaturalOrder('rule.name')}, rule.id limit ${limit} offset ${(page - 1) * limit}`.execute(db);
  const { rows: totals } = await sql<{ total: number }>`select count(*) as total from alert_rules as rule where ${isFound}`.execute(db);
  return { rows: rows.map((row) => toRule(row, reader.scope, unheard)), total: totals[0]?.total ?? 0 };
}

async function unheardReasonsOf(db: Kysely<Tables>, { now }: RuleReader): Promise<ReadonlyMap<number, UnheardReason>> {
  return new Map((await listUnheardRules(db, now)).map(({ id, reason }) => [id, reason]));
}

/** Ids and names of all rules that a reader may see, by name. */
export async function listRulesToPick(db: Kysely<Tables>, reader: RuleReader): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from alert_rules as rule where ${visible(reader)} order by ${inNaturalOrder('name')}, id
  `.execute(db);
  return rows;
}

/** A rule that a reader may see. */
export async function findVisibleRule(db: Kysely<Tables>, reader: RuleReader, id: number): Promise<AlertRule | undefined> {
  const { rows } = await sql<RuleRow>`${selectRules(reader)} where ${visible(reader)} and rule.id = ${id}`.execute(db);
  return rows[0] && toRule(rows[0], reader.scope, await unheardReasonsOf(db, reader));
}

/** Rules that are switched on. */
export async function listActiveRules(db: Kysely<Tables>): Promise<StoredRule[]> {
  const { rows } = await sql<StoredRule>`select ${columns}, rule.version from alert_rules as rule where is_on order by id`.execute(db);
  return rows.map((rule) => ({ ...rule, ...measureOf(rule.kind, rule) }));
}

/** The versions of the rules that are switched on, by id. */
export async function listRuleVersions(
  tx: OpenTransaction,
): Promise<ReadonlyMap<number, Pick<StoredRule, 'version' | 'name' | 'severity'>>> {
  const { rows } = await sql<Pick<StoredRule, 'id' | 'version' | 'name' | 'severity'>>`
    select id, version, name, severity from alert_rules where is_on
  `.execute(tx);
  return new Map(rows.map((rule) => [rule.id, rule]));
}

/** The condition of a rule. */
export type RuleCondition = Pick<StoredRule, 'kind' | 'threshold' | 'scope' | 'pending_minutes' | keyof Measure> &
  Partial<Pick<StoredRule, 'further_thresholds'>>;

/** Other rules with the same kind, condition and apps, by name. */
export async function listRepeatedRules(
  db: Kysely<Tables>,
  { id, kind, threshold, scope, pending_minutes: pendingMinutes, ...measure }: RuleCondition & { id: number | null },
): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from alert_rules as rule
    where id is distinct from ${id}::int and kind = ${kind} and threshold is not distinct from ${threshold}::int
      and pending_minutes = ${pendingMinutes} and window_minutes is not distinct from ${measure.window_minutes}::int
      and minimum is not distinct from ${measure.minimum}::int and comparison is not distinct from ${measure.comparison}::text
      and request_filter = ${measure.request_filter} and ${scopeOf('rule')}::jsonb = ${JSON.stringify(scope)}::jsonb
    order by ${inNaturalOrder('name')}, id limit 10
  `.execute(db);
  return rows;
}

/** The number of rules that count some requests only, without one of them. */
export async function countFilteredRules(tx: OpenTransaction, exceptId: number | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from alert_rules where request_filter <> '' and id is distinct from ${exceptId}::int
  `.execute(tx);
  return existing(rows[0]).count;
}

/** Locks a rule until the transaction ends. */
export async function lockRule(tx: OpenTransaction, id: number): Promise<void> {
  await sql`select from alert_rules where id = ${id} for update`.execute(tx);
}

/** The first of these ids that no app has. */
export async function findUnknownApp(db: Kysely<Tables>, ids: readonly number[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${ids}::bigint[]) with ordinality as given (id, position)
    where not exists (select from apps where apps.id = given.id) order by position limit 1
  `.execute(db);
  return rows[0]?.id;
}

function toRule(
  { owner_id: ownerId, owner_name: ownerName, created_at: createdAt, updated_at: updatedAt, evaluated_at: evaluatedAt, ...row }: RuleRow,
  scope: AppScope,
  unheard: ReadonlyMap<number, UnheardReason>,
): AlertRule {
  return {
    ...row,
    ...measureOf(row.kind, row),
    evaluated_at: evaluatedAt === null || evaluatedAt <= updatedAt ? null : wireDate(evaluatedAt),
    unheard: unheard.get(row.id) ?? null,
    request_filter: scope === 'all' ? row.request_filter : withoutStreams(row.request_filter),
    scope: scopeFor(row.scope, scope),
    owner: ownerId === null || ownerName === null ? null : { id: ownerId, name: ownerName },
    created_at: wireDate(createdAt),
    updated_at: wireDate(updatedAt),
  };
}

/** A scope without the ids of apps that its reader does not see. */
export function scopeFor(scope: AlertScope, reader: AppScope): AlertScope {
  return { ...scope, app_ids: [...withinScope(scope.app_ids, reader)] };
}

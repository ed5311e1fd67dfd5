import type { AlertKind } from '@switchyard/contract/alerts';
import { sql, type Kysely } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { lockEvaluation } from './incidents-store.ts';
import { channelIds } from './rules-store.ts';

/** A rule that names a channel. */
export type ChannelRule = { id: number; name: string; kind: AlertKind; channelIds: number[] };

/** Rules that name a channel, by name. */
export async function listChannelRules(db: Kysely<Tables>, channelId: number): Promise<ChannelRule[]> {
  const { rows } = await sql<ChannelRule>`
    select rule.id, rule.name, rule.kind, ${channelIds} as "channelIds"
    from alert_rule_channels as named join alert_rules as rule on rule.id = named.rule_id
    where named.channel_id = ${channelId} order by ${inNaturalOrder('rule.name')}, rule.id
  `.execute(db);
  return rows;
}

/**
 * Waits for commands on rules and for an evaluation under way, and keeps them away until the transaction ends, so that no rule begins to name
 * a channel meanwhile. Taken before any other lock, as they do.
 */
export async function lockRules(tx: OpenTransaction): Promise<void> {
  await lockEvaluation(tx);
}

/** Puts another channel, or none, in the place of one in all rules. */
export async function updateChannelOfRules(
  tx: OpenTransaction,
  { channelId, replacementIds, now }: { channelId: number; replacementIds: readonly number[]; now: Date },
): Promise<void> {
  await sql`
    with ended as (delete from alert_rule_channels where channel_id = ${channelId} returning rule_id),
      begun as (
        insert into alert_rule_channels (rule_id, channel_id) select rule_id, unnest(${replacementIds}::int[]) from ended on conflict do nothing)
    update alert_rules set updated_at = ${now}, version = version + 1 where id in (select rule_id from ended)
  `.execute(tx);
}

import type { AlertKind } from '@switchyard/contract/alerts';
import { sql, type Kysely } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { lockEvaluation } from './incidents-store.ts';

/** A rule that names a channel. */
export type ChannelRule = { id: number; name: string; kind: AlertKind; channelIds: number[] };

/** Rules that name a channel, by name. */
export async function listChannelRules(db: Kysely<Tables>, channelId: number): Promise<ChannelRule[]> {
  const { rows } = await sql<ChannelRule>`
    select id, name, kind, channel_ids as "channelIds" from alert_rules where ${channelId} = any(channel_ids)
    order by ${inNaturalOrder('name')}, id
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

/** Puts other channels, or none, in the place of one in all rules. Gives the channels of each changed rule. */
export async function updateChannelOfRules(
  tx: OpenTransaction,
  { channelId, replacementIds, now }: { channelId: number; replacementIds: readonly number[]; now: Date },
): Promise<ReadonlyMap<number, number[]>> {
  const { rows } = await sql<{ id: number; channelIds: number[] }>`
    update alert_rules set updated_at = ${now}, version = version + 1,
      channel_ids = array(select distinct unnest(array_remove(channel_ids, ${channelId}::int) || ${replacementIds}::int[]) order by 1)
    where ${channelId} = any(channel_ids) returning id, channel_ids as "channelIds"
  `.execute(tx);
  return new Map(rows.map(({ id, channelIds }) => [id, channelIds]));
}

import type { AlertKind } from '@switchyard/contract/alerts';
import { sql, type Kysely } from 'kysely';
import { inNaturalOrder } from '../../database/sql-conditions.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

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

/** Replaces the channels of a rule. */
export async function updateRuleChannels(tx: OpenTransaction, id: number, channelIds: readonly number[], now: Date): Promise<void> {
  await sql`update alert_rules set channel_ids = ${channelIds}::int[], updated_at = ${now}, version = version + 1 where id = ${id}`.execute(
    tx,
  );
}

import { alertSeverities, type AlertSeverity, type UnheardReason } from '@switchyard/contract/alerts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** What decides whether a channel takes messages. */
export type ChannelHealth = { id: number; isOn: boolean; minimumSeverity: AlertSeverity; isFailing: boolean };

/** Severities of the channels that take messages of a severity: those that take it, or less. */
export function reachedSeverities(severity: AlertSeverity): readonly AlertSeverity[] {
  return alertSeverities.slice(alertSeverities.indexOf(severity));
}

/** Every channel. One fails if its last three messages failed, or one has waited for an hour in which none was delivered. */
export async function listChannelHealth(db: Kysely<Tables>, now: Date): Promise<ChannelHealth[]> {
  const anHourAgo = new Date(now.getTime() - 3_600_000);
  const { rows } = await sql<ChannelHealth>`
    select channel.id, channel.is_on as "isOn", channel.minimum_severity as "minimumSeverity",
      (select count(*) = 3 from (
        select state from channel_messages where channel_id = channel.id and state in ('sent', 'failed') order by id desc limit 3
      ) as newest where state = 'failed')
      or exists (select from channel_messages where channel_id = channel.id and state = 'pending' and attempts > 0 and created_at < ${anHourAgo})
        and not exists (select from channel_messages where channel_id = channel.id and sent_at >= ${anHourAgo}) as "isFailing"
    from channels as channel
  `.execute(db);
  return rows;
}

/** Why no channel takes the messages of a rule; null: one does, or the rule informs all channels and there is none yet. */
export function unheardReason(
  { severity, channel_ids: ids }: { severity: AlertSeverity; channel_ids: readonly number[] | null },
  channels: readonly ChannelHealth[],
): UnheardReason | null {
  const chosen = ids === null ? channels : channels.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) return ids === null ? null : 'no_channel';
  const on = chosen.filter(({ isOn }) => isOn);
  if (on.length === 0) return 'off';
  const reached = on.filter(({ minimumSeverity }) => reachedSeverities(severity).includes(minimumSeverity));
  if (reached.length === 0) return 'severity';
  return reached.every(({ isFailing }) => isFailing) ? 'failing' : null;
}

/** The first of these ids that no channel has. Whoever locked the rules knows that the others are not deleted meanwhile. */
export async function findUnknownChannel(tx: OpenTransaction, ids: readonly number[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from channels where id = any(${ids}::bigint[])`.execute(tx);
  const knownIds = new Set(rows.map(({ id }) => id));
  return ids.find((id) => !knownIds.has(id));
}

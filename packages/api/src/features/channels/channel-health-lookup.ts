import { alertSeverities } from '@switchyard/contract/alerts';
import { sql, type RawBuilder } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';

/** SQL: whether a channel takes messages of a severity, because it takes that one, or less. */
export function takesSeverity(severity: string): RawBuilder<boolean> {
  return sql`${rankOf('channel.minimum_severity')} >= ${rankOf(severity)}`;
}

function rankOf(severity: string): RawBuilder<number> {
  return sql`array_position(${alertSeverities}::text[], ${sql.ref(severity)})`;
}

/** SQL: whether a channel fails: its last three messages failed, or one has waited for an hour in which none was delivered. */
export function isFailing(now: Date): RawBuilder<boolean> {
  const anHourAgo = new Date(now.getTime() - 3_600_000);
  return sql`(
    (select count(*) = 3 from (
      select state from channel_messages where channel_id = channel.id and state in ('sent', 'failed') order by id desc limit 3
    ) as newest where state = 'failed')
    or exists (select from channel_messages where channel_id = channel.id and state = 'pending' and attempts > 0 and created_at < ${anHourAgo})
      and not exists (select from channel_messages where channel_id = channel.id and sent_at >= ${anHourAgo}))`;
}

/** The first of these ids that no channel has. The others are not deleted until the transaction ends. */
export async function findUnknownChannel(tx: OpenTransaction, ids: readonly number[]): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from channels where id = any(${ids}::bigint[]) for key share`.execute(tx);
  const knownIds = new Set(rows.map(({ id }) => id));
  return ids.find((id) => !knownIds.has(id));
}

import { unheardTexts, type AlertSeverity, type UnheardReason } from '@switchyard/contract/alerts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { listChannelHealth, unheardReason } from '../channels/channel-health-lookup.ts';

/** A rule that is on and reaches nobody. */
export type UnheardRule = { id: number; name: string; reason: UnheardReason };

/** Rules that are on and whose messages no channel takes, with the reason. */
export async function listUnheardRules(db: Kysely<Tables>, now: Date): Promise<UnheardRule[]> {
  const channels = await listChannelHealth(db, now);
  const { rows } = await sql<{ id: number; name: string; severity: AlertSeverity; channel_ids: number[] | null }>`
    select id, name, severity, channel_ids from alert_rules where is_on order by id
  `.execute(db);
  return rows.flatMap((rule) => {
    const reason = unheardReason(rule, channels);
    return reason === null ? [] : [{ id: rule.id, name: rule.name, reason }];
  });
}

/** A line for each rule that reaches nobody. */
export async function describeUnheardRules(db: Kysely<Tables>, now: Date): Promise<string[]> {
  return (await listUnheardRules(db, now)).map(
    ({ name, reason }) => `Alerts: the rule ${JSON.stringify(name)} reaches nobody. ${unheardTexts[reason]}`,
  );
}

import { unheardTexts, type UnheardReason } from '@switchyard/contract/alerts';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { isFailing, takesSeverity } from '../channels/channel-health-lookup.ts';

/** A rule that is on and reaches nobody. */
export type UnheardRule = { id: number; name: string; reason: UnheardReason };

/**
 * Rules that are on and whose messages no channel takes, with the reason. A rule that informs all channels while there is none is not among
 * them.
 */
export async function listUnheardRules(db: Kysely<Tables>, now: Date): Promise<UnheardRule[]> {
  const isReached = sql`channel.is_on and ${takesSeverity('rule.severity')}`;
  const { rows } = await sql<UnheardRule>`
    with channel as materialized (select id, is_on, minimum_severity, ${isFailing(now)} as is_failing from channels as channel)
    select rule.id, rule.name, case when count(channel.id) = 0 then 'no_channel' when not bool_or(channel.is_on) then 'off'
      when not bool_or(${isReached}) then 'severity' else 'failing' end as reason
    from alert_rules as rule left join channel
      on rule.all_channels or (rule.id, channel.id) in (select rule_id, channel_id from alert_rule_channels)
    where rule.is_on group by rule.id
    having (not rule.all_channels or count(channel.id) > 0) and not coalesce(bool_or(${isReached} and not channel.is_failing), false)
    order by rule.id
  `.execute(db);
  return rows;
}

/** A line for each rule that reaches nobody. */
export async function describeUnheardRules(db: Kysely<Tables>, now: Date): Promise<string[]> {
  return (await listUnheardRules(db, now)).map(
    ({ name, reason }) => `Alerts: the rule ${JSON.stringify(name)} reaches nobody. ${unheardTexts[reason]}`,
  );
}

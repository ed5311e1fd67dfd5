import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';
import { isInScope } from '../../database/sql-conditions.ts';
import { isOfAppsIn } from './rules-store.ts';

/**
 * SQL: whether a row `e` of the audit trail is of another entity, or about a rule, a silence or an incident that a reader with this scope
 * sees. Those of rules that were deleted are about any app.
 */
export function isAboutVisibleAlert(scope: AppScope): RawBuilder<SqlBool> {
  if (scope === 'all') return sql`true`;
  const id = sql`case when e.entity_id ~ '^[0-9]{1,9}$' then e.entity_id::int end`;
  const [ofRule, ofSilence] = [isOfAppsIn('rule', scope), isOfAppsIn('silence', scope)];
  return sql`case e.entity
    when 'alert_rule' then exists (select from alert_rules as rule where rule.id = ${id} and ${ofRule})
    when 'silence' then exists (select from silences as silence left join alert_rules as rule on rule.id = silence.rule_id
      where silence.id = ${id} and ${ofSilence} and (rule.id is null or ${ofRule}))
    when 'incident' then e.entity_id is null
      or exists (select from incidents where id = ${id} and (app_id is null or ${isInScope('app_id', scope)}))
    else true end`;
}

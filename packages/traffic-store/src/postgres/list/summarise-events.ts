import { addressSql } from '../event-page.ts';
import type pg from 'pg';
import type { AppScope } from '@switchyard/contract/app-scope';
import { emptySummary, subjectFilter, type SubjectGroup, toSummary } from '../../event-subject.ts';
import type { EventSubject, EventSummary, SeenWith } from '../../event-store.ts';
import { allConditions, newParameters } from '../event-conditions.ts';
import { keptName } from '../statements.ts';

const micros = (instant: string): string => `(extract(epoch from ${instant}) * 1000000)::bigint`;
const seenColumns = `count(*) as events, ${micros('min(occurred_at)')} as first, ${micros('max(occurred_at)')} as last`;

/**
 * Sums up the events of a subject in one statement. It finds them by the index of clients or of addresses and reads no bodies.
 */
export async function getEventSummary(
  pool: pg.Pool,
  { scope, subject, limit }: { scope: AppScope; subject: EventSubject; limit: number },
): Promise<EventSummary> {
  const filter = subjectFilter(subject, scope);
  const parameters = newParameters();
  const conditions = allConditions(filter, parameters).join(' and ');
  // Events without a client are not those of a client.
  const [value, isKnown] = 'clientUid' in subject ? [addressSql('ip'), 'true'] : ['client_uid', `value <> ''`];
  const text = `
    with found as materialized (
      select app_id, type, country, ${value} collate "C" as value, occurred_at, id from events where ${conditions}
    ), valued as (
      select value, max(occurred_at) as newest, ${seenColumns} from found where ${isKnown} group by value
    ), latest as (
      select * from valued order by newest desc, value limit ${parameters.add(limit)}::integer
    ), located as (
      select distinct on (value) latest.*, found.country from latest
      join found on found.value = latest.value and found.occurred_at = latest.newest order by value, found.id desc
    )
    select (select coalesce(json_agg(grouped), '[]') from (
        select case when grouping(app_id) = 0 then 'app' when grouping(type) = 0 then 'type' else 'country' end as part,
          coalesce(app_id::text, type::text, country) as key, ${seenColumns}
        from found group by grouping sets ((app_id), (type), (country))
      ) as grouped) as groups,
      (select coalesce(json_agg(row_to_json(located) order by newest desc, value), '[]') from located) as latest,
      (select count(*)::integer from valued) as total`;
  const { rows } = await pool.query<{ groups: SubjectGroup[]; latest: (SeenWith & { newest: string })[]; total: number }>({
    name: keptName(text),
    text,
    values: parameters.values,
  });
  const [summary] = rows;
  if (summary === undefined) return emptySummary;
  return toSummary(summary.groups, { latest: summary.latest.map(({ newest: _newest, ...row }) => row), total: summary.total });
}

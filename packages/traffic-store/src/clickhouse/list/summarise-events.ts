import { canonicalIp } from '@switchyard/contract/ip-address';
import type { AppScope } from '@switchyard/contract/app-scope';
import { subjectFilter, type SubjectGroup, toSummary } from '../../event-subject.ts';
import type { EventSubject, EventSummary, SeenWith } from '../../event-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, where } from '../event-conditions.ts';
import { newParameters, using } from '../statement.ts';

const [oldest, newest] = ['toUnixTimestamp64Micro(min(occurred_at))', 'toUnixTimestamp64Micro(max(occurred_at))'] as const;

/** Sums up the events of a subject, from the projection that keeps clients or addresses together. */
export async function getEventSummary(
  engine: EngineClient,
  { scope, subject, limit }: { scope: AppScope; subject: EventSubject; limit: number },
): Promise<EventSummary> {
  const isClient = 'clientUid' in subject;
  const source = using(isClient ? 'of_client' : 'of_ip');
  const conditionsOf = (parameters = newParameters()) => ({ parameters, found: allConditions(subjectFilter(subject, scope), parameters) });
  const groupConditions = conditionsOf();
  const listConditions = conditionsOf();
  // Events without a client are not those of a client.
  const isKnown = isClient ? [] : [`client_uid != ''`];
  const value = isClient ? 'toString(ip)' : 'client_uid';
  const [groups, latest] = await Promise.all([
    engine.rows<SubjectGroup>({
      text: `select shared.1 as part, shared.2 as key, sum(counted) as events, min(oldest) as first, max(newest) as last
        from (
          select app_id, type, country, count() as counted, ${oldest} as oldest, ${newest} as newest
          from events ${where(groupConditions.found)} group by app_id, type, country ${source}
        ) array join [('app', toString(app_id)), ('type', toString(type)), ('country', toString(country))] as shared group by shared`,
      parameters: groupConditions.parameters,
    }),
    engine.rows<SeenWith & { total: number }>({
      text: `select ${value} as value, argMax(country, (occurred_at, id)) as country, count() as events, ${oldest} as first, ${newest} as last,
          count() over () as total
        from events ${where([...listConditions.found, ...isKnown])} group by ${isClient ? 'ip' : 'client_uid'}
        order by last desc, value limit ${Math.trunc(limit)} ${source}`,
      parameters: listConditions.parameters,
    }),
  ]);
  return toSummary(groups, {
    latest: latest.map(({ total: _total, ...row }) => ({ ...row, value: isClient ? (canonicalIp(row.value) ?? row.value) : row.value })),
    total: latest[0]?.total ?? 0,
  });
}

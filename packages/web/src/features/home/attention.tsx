import { Alert, Anchor, Skeleton, Title } from '@mantine/core';
import type { HomeCard } from '@switchyard/contract/dashboard';
import { getHome, homePermissions, type Home } from '@switchyard/contract/home';
import type { IncidentGroup } from '@switchyard/contract/incident-lists';
import { holdsAny } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { IconBellOff, IconCircleCheck, IconCloudOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { WaitingNotice } from '../../shared/alerts/waiting-notice.tsx';
import { SeverityMark } from '../../shared/alerts/alert-marks.tsx';
import { call, inBackground } from '../../shared/api/call.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { MissingStatistics, missingStatisticsReload } from '../../shared/ui/missing-statistics.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { StaleNotice } from '../../shared/ui/stale-notice.tsx';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './attention.module.css';
import { TrafficOfToday } from './traffic-of-today.tsx';
import { RetryButton } from '../../shared/ui/retry.tsx';

/** Milliseconds after which the page is read again while its tab is shown. */
const refreshEvery = 60_000;

/** Whether the page lacks what is counted from events. */
function lacksEvents({ traffic }: Home): boolean {
  return traffic?.create === null;
}

/** Whether the account may see incidents or figures. */
export function seesAttention({ permissions }: SessionUser): boolean {
  return Object.values(homePermissions).some((anyOf) => holdsAny(permissions, anyOf));
}

const partNames: Readonly<Record<HomeCard, string>> = { today: 'Today', incidents: 'Open incidents' };

/** Of types only: the contract of the dashboard is loaded with the board. */
const homeCards: readonly HomeCard[] = ['today', 'incidents'];

/** The parts of Home that an account sees, as cards of its board. */
export function attentionCards(user: SessionUser) {
  return homeCards.flatMap((id) =>
    holdsAny(user.permissions, homePermissions[id === 'today' ? 'traffic' : id])
      ? [{ id, title: partNames[id], content: <Attention user={user} part={id} /> }]
      : [],
  );
}

/** Open incidents, as far as the account may see them, and the traffic of today; or one of them. */
export function Attention({ user, part }: { user: SessionUser; part?: HomeCard }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['home', user.id],
    queryFn: ({ signal }) => call(getHome, { signal, ...inBackground }),
    refetchInterval: ({ state }) => (state.data !== undefined && lacksEvents(state.data.data) ? missingStatisticsReload : refreshEvery),
    refetchOnWindowFocus: 'always',
  });
  if (data === undefined) {
    if (error === null) return <LoadingSections count={part === undefined ? 3 : 1} />;
    return (
      <StatePanel
        icon={IconCloudOff}
        tone="danger"
        title={`${part === undefined ? 'Open incidents and traffic' : partNames[part]} could not be loaded`}
        action={<RetryButton size="xs" isRunning={isFetching} onRetry={refetch} />}
      >
        {error.message}
      </StatePanel>
    );
  }
  const { traffic, incidents, unheard_rules: unheardRules } = data.data;
  return (
    <>
      {error !== null && <StaleNotice what="figures" why={error.message} isRunning={isFetching} onRetry={refetch} />}
      {part !== 'incidents' && lacksEvents(data.data) && <MissingStatistics isRunning={isFetching} onRetry={() => void refetch()} />}
      {part !== 'incidents' && traffic !== null && <TrafficOfToday traffic={traffic} />}
      {part !== 'today' && unheardRules > 0 && <UnheardRules count={unheardRules} />}
      {part !== 'today' && incidents !== null && <OpenIncidents incidents={incidents} isOnBoard={part !== undefined} />}
    </>
  );
}

function LoadingSections({ count }: { count: number }) {
  return (
    <output className={classes['sections']} aria-label="Loading">
      {Array.from({ length: count }, (_, at) => (
        <Skeleton key={at} height={132} radius="md" />
      ))}
    </output>
  );
}

function UnheardRules({ count }: { count: number }) {
  return (
    <Alert color="danger" variant="light" p="sm" icon={<IconBellOff size={18} aria-hidden />}>
      {count === 1 ? 'A rule reaches nobody.' : `${groupedNumber(count)} rules reach nobody.`}{' '}
      <Anchor component={AppLink} href={paths.unheardRules()} inherit underline="always">
        {count === 1 ? 'Show it' : 'Show them'}
      </Anchor>
    </Alert>
  );
}

type IncidentsProps = { incidents: Exclude<Home['incidents'], null>; isOnBoard: boolean };

function OpenIncidents({ incidents: { total, rules, rows }, isOnBoard }: IncidentsProps) {
  return (
    <section aria-labelledby="home-attention" className={classes['part']}>
      <Title order={2} id="home-attention" className={classes['heading'] ?? ''}>
        Open incidents
      </Title>
      <WaitingNotice />
      {rows.length === 0 ? (
        <p className={classes['well']}>
          <IconCircleCheck size={18} aria-hidden /> No open incidents.
        </p>
      ) : (
        <div className={isOnBoard ? undefined : classes['card']}>
          <ul className={classes['rows']}>
            {rows.map((group) => (
              <GroupRow key={group.worst.id} group={group} />
            ))}
          </ul>
          {total > rows.length && (
            <p className={classes['rest']}>
              {rules > rows.length && `${groupedNumber(rows.length)} of ${groupedNumber(rules)} rules shown. `}
              <Anchor component={AppLink} href={paths.incidents()} inherit underline="always">
                All {groupedNumber(total)} incidents
              </Anchor>
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** The open incidents of a rule; a single one in full. */
function GroupRow({ group: { total, critical, firing, since, worst } }: { group: IncidentGroup }) {
  const { id, severity, rule, app, server, reason, state, is_silenced: isSilenced } = worst;
  const subject = app?.name ?? server?.name ?? null;
  const isOne = total === 1;
  const title = isOne && subject !== null ? `${rule.name}: ${subject}` : rule.name;
  const counts = isOne
    ? [...(state === 'acknowledged' ? ['acknowledged'] : []), ...(isSilenced ? ['silenced'] : [])]
    : [
        ...(critical > 0 ? [`${groupedNumber(critical)} critical`] : []),
        ...(firing < total ? [`${groupedNumber(total - firing)} acknowledged`] : []),
      ];
  return (
    <li className={classes['row']}>
      <span className={classes['name']}>
        <SeverityMark severity={severity} />
        <AppLink
          href={isOne || rule.id === null ? paths.incident(id) : paths.incidents({ ruleId: rule.id })}
          className={classes['link'] ?? ''}
        >
          <VisibleText text={title} />
          {!isOne && ` · ${groupedNumber(total)} incidents`}
        </AppLink>
      </span>
      <span className={classes['detail']}>
        <VisibleText text={reason} />
      </span>
      <span className={classes['state']}>{[`Since ${useDisplayDate()(since)}`, ...counts].join(', ')}</span>
    </li>
  );
}

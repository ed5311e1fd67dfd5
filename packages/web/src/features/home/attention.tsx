import { Alert, Skeleton, Title } from '@mantine/core';
import { attention, getHome, homePermissions, type Home } from '@switchyard/contract/home';
import { holdsAny } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { IconCircleCheck, IconCloudOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { paths, type AppTab } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { useMinute } from '../../shared/time/use-minute.ts';
import { MissingStatistics, missingStatisticsReload } from '../../shared/ui/missing-statistics.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import classes from './attention.module.css';
import { TrafficOfToday } from './traffic-of-today.tsx';
import { parseDateTime } from '@switchyard/contract/dates';
import { RetryButton } from '../../shared/ui/retry.tsx';

/** Milliseconds after which the page is read again while its tab is shown. */
const refreshEvery = 60_000;

/** Whether the page lacks what is counted from events. */
function lacksEvents({ stopped_apps: stopped, traffic }: Home): boolean {
  return stopped?.total === null || traffic?.create === null;
}

/** Whether the account may see any section of what needs attention. */
export function seesAttention({ permissions }: SessionUser): boolean {
  return Object.values(homePermissions).some((anyOf) => holdsAny(permissions, anyOf));
}

/** Apps, servers and domains that need attention, as far as the account may see them, and the traffic of today. */
export function Attention({ user }: { user: SessionUser }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['home', user.id],
    queryFn: ({ signal }) => call(getHome, { signal, ...inBackground }),
    refetchInterval: ({ state }) => (state.data !== undefined && lacksEvents(state.data.data) ? missingStatisticsReload : refreshEvery),
    refetchOnWindowFocus: 'always',
  });
  const retry = <RetryButton size="xs" isRunning={isFetching} onRetry={refetch} />;
  if (data === undefined) {
    if (error === null) return <LoadingSections />;
    return (
      <StatePanel icon={IconCloudOff} tone="danger" title="What needs attention could not be loaded" action={retry}>
        {error.message}
      </StatePanel>
    );
  }
  return (
    <>
      {error !== null && (
        <Alert
          color="danger"
          variant="light"
          icon={<IconCloudOff size={18} aria-hidden />}
          p="xs"
          title={`These figures may be old: ${error.message}`}
        >
          {retry}
        </Alert>
      )}
      {lacksEvents(data.data) && <MissingStatistics isRunning={isFetching} onRetry={() => void refetch()} />}
      {data.data.traffic !== null && <TrafficOfToday traffic={data.data.traffic} />}
      <Sections home={data.data} permissions={user.permissions} />
    </>
  );
}

function LoadingSections() {
  return (
    <output className={classes['sections']} aria-label="Loading">
      <Skeleton height={132} radius="md" />
      <Skeleton height={132} radius="md" />
      <Skeleton height={132} radius="md" />
    </output>
  );
}

type Row = { key: number; href: string; name: string; detail: string; state: string; isOverdue?: boolean };
type Section = { title: string; total: number; list: { href: string; label: string }; rows: readonly Row[] };

function Sections({ home, permissions }: { home: Home; permissions: readonly string[] }) {
  const displayDate = useDisplayDate();
  const now = useMinute();
  const isIncomplete = home.stopped_apps?.total === null;
  const sections = readSections(home, { permissions, now, displayDate }).filter(({ total }) => total > 0);
  return (
    <section aria-labelledby="home-attention" className={classes['part']}>
      <Title order={2} id="home-attention" className={classes['heading'] ?? ''}>
        Needs attention
      </Title>
      {isIncomplete && <p className={classes['note']}>Whether the traffic of an app stopped is not known at the moment.</p>}
      {sections.length === 0 && !isIncomplete && (
        <p className={classes['well']}>
          <IconCircleCheck size={18} aria-hidden /> Nothing needs your attention.
        </p>
      )}
      <div className={classes['sections']}>
        {sections.map((section) => (
          <SectionCard key={section.title} section={section} />
        ))}
      </div>
    </section>
  );
}

function SectionCard({ section: { title, total, list, rows } }: { section: Section }) {
  const titleId = `home-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section className={classes['card']} aria-labelledby={titleId}>
      <div className={classes['head']}>
        <Title order={3} id={titleId} className={classes['title'] ?? ''}>
          {title}
        </Title>
        <span className={classes['total']}>{groupedNumber(total)}</span>
      </div>
      <ul className={classes['rows']}>
        {rows.map((row) => (
          <li key={row.key} className={classes['row']}>
            <AppLink href={row.href} className={classes['name'] ?? ''}>
              <VisibleText text={row.name} />
            </AppLink>
            <span className={classes['detail']}>
              <VisibleText text={row.detail} />
            </span>
            <span className={classes['state']} data-overdue={row.isOverdue === true || undefined}>
              {row.state}
            </span>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <p className={classes['rest']}>
          {rows.length} of {groupedNumber(total)} shown. <AppLink href={list.href}>{list.label}</AppLink>
        </p>
      )}
    </section>
  );
}

const failures: Readonly<Record<string, (server: string) => string>> = {
  err_add: (server) => `Could not be added to ${server}`,
  err_bind: (server) => `Could not be bound on ${server}`,
  err_ssl: (server) => `No certificate on ${server}`,
};

type Context = { permissions: readonly string[]; now: Date; displayDate: (text: string) => string };

/** The sections of the answer as the page words them; those that the account may not see have no rows. */
function readSections(home: Home, { permissions, now, displayDate }: Context): Section[] {
  type App = { id: number; name: string; domain: string };
  const mayEdit = holdsAny(permissions, ['manager_app_edit']);
  const mayReadRequests = holdsAny(permissions, ['manager_app_requests']);
  const hrefOf = ({ id, domain }: App, tab: AppTab = 'General'): string => (mayEdit ? paths.appEdit(id, tab) : paths.apps(domain));
  const expiry = (at: string) => expiryText(at, now, displayDate);
  const apps = { href: paths.apps(), label: 'Open the apps list' };
  const servers = { href: paths.servers(), label: 'Open the servers list' };
  return [
    {
      title: 'Expiring domains',
      total: home.expiring_domains?.total ?? 0,
      list: apps,
      rows: (home.expiring_domains?.rows ?? []).map(({ app, expires_at }) => ({
        key: app.id,
        href: hrefOf(app),
        name: app.name,
        detail: app.domain,
        ...expiry(expires_at),
      })),
    },
    {
      title: 'Expiring certificates',
      total: home.expiring_certificates?.total ?? 0,
      list: apps,
      rows: (home.expiring_certificates?.rows ?? []).map(({ id, app, server, expires_at }) => ({
        key: id,
        href: hrefOf(app),
        name: app.name,
        detail: `${app.domain} on ${server.name}`,
        ...expiry(expires_at),
      })),
    },
    {
      title: 'Failed links',
      total: home.failed_links?.total ?? 0,
      list: apps,
      rows: (home.failed_links?.rows ?? []).map(({ id, app, server, status, error, updated_at }) => ({
        key: id,
        href: hrefOf(app),
        name: app.name,
        detail: [failures[status]?.(server.name) ?? server.name, ...(error === null ? [] : [error])].join(': '),
        state: displayDate(updated_at),
      })),
    },
    {
      title: 'Servers not seen',
      total: home.unseen_servers?.total ?? 0,
      list: servers,
      rows: (home.unseen_servers?.rows ?? []).map(({ id, name, last_seen_at }) => ({
        key: id,
        href: paths.serverEdit(id),
        name,
        detail: `No call for ${attention.serverMinutes} minutes or more`,
        state: last_seen_at === null ? 'Never seen' : `Last seen ${displayDate(last_seen_at)}`,
      })),
    },
    {
      title: 'Stopped traffic',
      total: home.stopped_apps?.total ?? 0,
      list: apps,
      rows: (home.stopped_apps?.rows ?? []).map(({ app, requests_yesterday }) => ({
        key: app.id,
        href: hrefOf(app, mayReadRequests ? 'Event' : 'General'),
        name: app.name,
        detail: `No requests in the last ${attention.stoppedHours} hours`,
        state: `${groupedNumber(requests_yesterday)} in the same hours yesterday`,
      })),
    },
  ];
}

const day = 86_400_000;

/** How long a domain or a certificate still holds, in words and with its day. */
export function expiryText(at: string, now: Date, displayDate: (text: string) => string): { state: string; isOverdue: boolean } {
  const ahead = parseDateTime(at) / 1000 - now.getTime();
  const isOverdue = ahead <= 0;
  const days = Math.floor(Math.abs(ahead) / day);
  const span = days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
  const [date = ''] = displayDate(at).split(' ');
  return { state: isOverdue ? `Expired ${span} ago, ${date}` : `Expires in ${span}, ${date}`, isOverdue };
}

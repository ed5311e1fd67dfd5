import { Skeleton } from '@mantine/core';
import { addAppDomain, linkMessages, linkNotice, linkTexts, removeAppDomain } from '@switchyard/contract/app-domains';
import type { FullApp } from '@switchyard/contract/app-form';
import { shownDomain } from '@switchyard/contract/host-name';
import { listPickServers, type PickedServer } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { call } from '../../../../shared/api/call.ts';
import { useHoldsAny } from '../../../../shared/session/use-session.ts';
import { useMinute } from '../../../../shared/time/use-minute.ts';
import { askConfirm } from '../../../../shared/ui/confirm.tsx';
import { timeSpans } from '../../../../shared/ui/display-limits.ts';
import { notify } from '../../../../shared/ui/notifications/notification-center.ts';
import { reloadApp } from '../app-query.ts';
import { LinkedServer, UnlinkedServer } from './server-rows.tsx';
import classes from './servers.module.css';
import { RetryNote } from '../../../../shared/ui/retry.tsx';
import { useReadOnly } from '../../../../shared/ui/read-only.tsx';
import { ShortRows } from '../../../../shared/ui/short-rows.tsx';

type LinkInput = {
  readonly appId: number;
  /** The saved domain, not the one in the form. */
  readonly domain: string;
  readonly serverId: number;
  readonly isOnlyCF: boolean;
};

/** Links a server, or restarts a link: the call is the same. */
function linkServer({ appId, domain, serverId, isOnlyCF }: LinkInput): Promise<void> {
  return change(appId, () => call(addAppDomain, { body: { domain, serverId, isOnlyCF } }));
}

/** Unlinks a server. */
function unlinkServer(appId: number, linkId: number): Promise<void> {
  return change(appId, () => call(removeAppDomain, { params: { id: linkId } }));
}

/** Reloads the app also after a failure: somebody else may have changed or archived it meanwhile. */
async function change(appId: number, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
    notify({ type: 'info', message: linkNotice, timeout: timeSpans.serverNotice });
  } catch {
    // The error policy has reported it.
  }
  await reloadApp(appId);
}

type App = Pick<FullApp, 'id' | 'domain' | 'deleted_at' | 'check_domains'>;

type Props = {
  /** The newest stored version of the app. */
  app: App;
  /** Whether the last reload failed, so the states may be outdated. */
  isStale: boolean;
};

const noServers: readonly PickedServer[] = [];

/** Why servers cannot be changed now; null if they can. */
function useLock({ deleted_at: archivedAt }: App): string | null {
  const mayLink = useHoldsAny('manager_app_create', 'manager_app_edit');
  const readOnly = useReadOnly();
  if (readOnly !== null) return readOnly;
  if (archivedAt !== null) return linkMessages.archived;
  return mayLink ? null : 'Your account may not link servers';
}

/** Runs one call per server at a time and remembers the last server that was changed with the keyboard. */
function useBusyServers() {
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const [actedOn, setActedOn] = useState<number | null>(null);
  const run = async (serverId: number, action: () => Promise<void>): Promise<void> => {
    setActedOn(document.activeElement?.matches(':focus-visible') === true ? serverId : null);
    setBusy((before) => new Set([...before, serverId]));
    await action();
    setBusy((before) => new Set([...before].filter((id) => id !== serverId)));
  };
  return { busy, actedOn, run };
}

/** The servers that are linked to the app, with their live state, and those that are not. */
export function ServersSection({ app, isStale }: Props) {
  const now = useMinute();
  const lockReason = useLock(app);
  const { busy, actedOn, run } = useBusyServers();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['servers', 'pick'],
    queryFn: ({ signal }) => call(listPickServers, { signal }),
  });
  const servers = data?.data ?? noServers;
  const linkedIds = new Set(app.check_domains.map((link) => link.server_id));
  const unlinkedServers = servers.filter(({ id }) => !linkedIds.has(id));
  return (
    <div className={classes['section']}>
      <Group
        title={linkTexts.linked}
        rows={app.check_domains}
        nameOf={(link) => link.server_name}
        isMarked={({ server_id: id, status }) => status !== 'ok' || id === actedOn}
      >
        {(link) => (
          <LinkedServer
            key={link.id}
            link={link}
            ip={servers.find((server) => server.id === link.server_id)?.ip ?? null}
            now={now}
            lockReason={lockReason}
            isBusy={busy.has(link.server_id)}
            isActedOn={actedOn === link.server_id}
            onRestart={() =>
              void run(link.server_id, () =>
                linkServer({ appId: app.id, domain: app.domain, serverId: link.server_id, isOnlyCF: link.is_only_cf }),
              )
            }
            onRemove={() =>
              askConfirm({
                title: 'Are you sure?',
                lines: [
                  `${link.server_name} will stop serving ${shownDomain(app.domain)}.`,
                  'Requests that reach the app through this server fail until it is linked again.',
                ],
                isDangerous: true,
                action: () => run(link.server_id, () => unlinkServer(app.id, link.id)),
              })
            }
          />
        )}
      </Group>
      {app.check_domains.length === 0 && <Nothing text={linkTexts.noLinked} />}
      {isStale && <output className={classes['stale']}>The state of the links could not be read again; what you see may be old.</output>}
      <Group
        title={linkTexts.unlinked}
        rows={unlinkedServers}
        nameOf={({ name, ip }) => `${name} ${ip ?? ''}`}
        isMarked={({ id }) => id === actedOn || busy.has(id)}
      >
        {(server) => (
          <UnlinkedServer
            key={server.id}
            server={server}
            lockReason={lockReason}
            isBusy={busy.has(server.id)}
            isActedOn={actedOn === server.id}
            onCreate={(isOnlyCF) =>
              void run(server.id, () => linkServer({ appId: app.id, domain: app.domain, serverId: server.id, isOnlyCF }))
            }
          />
        )}
      </Group>
      {data !== undefined && unlinkedServers.length === 0 && (
        <Nothing text={servers.length === 0 ? 'There are no servers yet' : linkTexts.noUnlinked} />
      )}
      {data === undefined && !isError && <Skeleton height={52} radius="md" />}
      {data === undefined && isError && (
        <RetryNote isRunning={isFetching} onRetry={refetch}>
          The servers could not be loaded.
        </RetryNote>
      )}
    </div>
  );
}

type GroupProps<Row> = {
  title: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  isMarked: (row: Row) => boolean;
  children: (row: Row) => ReactNode;
};

function Group<Row>({ title, rows, nameOf, isMarked, children }: GroupProps<Row>) {
  return (
    <div>
      <h3 className={classes['group']}>{title}</h3>
      {rows.length > 0 && (
        <ShortRows rows={rows} noun={title.toLowerCase()} textOf={nameOf} isMarked={isMarked}>
          {(shownRows) => (
            <ul className="surface" aria-label={title}>
              {shownRows.map(children)}
            </ul>
          )}
        </ShortRows>
      )}
    </div>
  );
}

function Nothing({ text }: { text: string }) {
  return <p className="note">{text}</p>;
}

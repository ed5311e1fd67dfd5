import { Badge, Button, Skeleton } from '@mantine/core';
import { endOwnSession, listOwnSessions, type OwnSession } from '@switchyard/contract/own-sessions';
import { IconDeviceDesktop, IconDeviceMobile, IconDevicesOff, IconLock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isForbidden } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { AppLink } from '../../shared/navigation.tsx';
import { deviceName, isHandheld } from '../../shared/devices/device-name.ts';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { sessionStore } from '../../shared/session/session-store.ts';
import { closeSignedOut } from '../../shared/session/sign-out.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { askToEndOthers, closeOffer, endOthers, ownSessionsKey } from './other-sessions.ts';
import classes from './own-sessions.module.css';
import { Fact } from '../../shared/ui/fact.tsx';

const noFallbacks: readonly string[] = [];

/** Ends a session; ending the current one signs out. */
async function end(session: OwnSession): Promise<void> {
  const asToken = sessionStore.get()?.token.accessToken;
  // Another call may be told first that the current session has ended. The answer counts nevertheless.
  await call(endOwnSession, { params: { id: session.id }, ...(session.current && asToken !== undefined && { asToken }) });
  if (session.current) {
    closeSignedOut();
    return;
  }
  closeOffer();
  notify({ type: 'success', message: `The session on ${deviceName(session.user_agent)} has ended` });
}

/** Where the account is signed in, with buttons to end sessions. */
export function OwnSessionsPage() {
  return (
    <Page>
      <p className={classes['lead']}>
        Where your account is signed in. End the sessions that you do not recognize, and change your password on the{' '}
        <AppLink href={paths.account()}>My account</AppLink> page.
      </p>
      <OwnSessions />
    </Page>
  );
}

/** The list of sessions, or its loading, empty or failed state. */
export function OwnSessions() {
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery({ queryKey: ownSessionsKey, queryFn: () => call(listOwnSessions) });

  // A session that ended meanwhile returns 404; the reloaded list no longer has it. Signed out, nothing can be loaded.
  const thenReload = async (action: Promise<void>): Promise<void> => {
    try {
      await action;
    } finally {
      if (sessionStore.get() !== null) await client.invalidateQueries({ queryKey: ownSessionsKey });
    }
  };
  const askToEnd = (session: OwnSession): void => {
    askConfirm({
      title: session.current ? 'Sign out here?' : 'End this session?',
      lines: [
        session.current
          ? 'This is the session you are using. You will be signed out and sent to the login page.'
          : `${deviceName(session.user_agent)}, ${session.ip ?? 'address unknown'}. Anybody who uses it must sign in again.`,
      ],
      isDangerous: true,
      action: () => thenReload(end(session)),
    });
  };
  return (
    <>
      {data === undefined && error === null && <LoadingCards />}
      {data === undefined && error !== null && <SessionsLoadFailure error={error} isRunning={isFetching} onRetry={() => void refetch()} />}
      {data?.data.length === 0 && (
        <StatePanel icon={IconDevicesOff} title="No sessions">
          Your account has no sessions.
        </StatePanel>
      )}
      {data !== undefined && data.data.length > 0 && (
        <SessionCards
          sessions={data.data}
          onEnd={askToEnd}
          onEndOthers={(count) => askToEndOthers(count, async (revokes) => thenReload(endOthers(revokes)))}
        />
      )}
    </>
  );
}

type CardsProps = {
  sessions: readonly OwnSession[];
  onEnd: (session: OwnSession) => void;
  /** Gets the number of other sessions. */
  onEndOthers: (count: number) => void;
};

/** All sessions. After one has ended, the focus moves to the next one. */
function SessionCards({ sessions, onEnd, onEndOthers }: CardsProps) {
  const list = useFocusFallback<HTMLUListElement>(noFallbacks);
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <>
      {others > 0 && (
        <div className={classes['others']}>
          <span>
            {others} other {others === 1 ? 'session' : 'sessions'}
          </span>
          <Button variant="default" onClick={() => onEndOthers(others)}>
            End all other sessions
          </Button>
        </div>
      )}
      <ul ref={list} className={classes['list']} aria-label="My sessions">
        {sessions.map((session) => (
          <OwnSessionCard key={session.id} session={session} onEnd={() => onEnd(session)} />
        ))}
      </ul>
    </>
  );
}

function LoadingCards() {
  return (
    <output className={classes['list']} aria-label="Loading">
      <Skeleton height={88} radius="lg" />
      <Skeleton height={88} radius="lg" />
    </output>
  );
}

function SessionsLoadFailure({ error, isRunning, onRetry }: { error: Error; isRunning: boolean; onRetry: () => void }) {
  if (isForbidden(error)) {
    return (
      <StatePanel icon={IconLock} tone="warning" title="No access">
        Your account may not see its sessions. Ask an administrator.
      </StatePanel>
    );
  }
  return (
    <LoadFailure title="Your sessions could not be loaded" isRunning={isRunning} onRetry={onRetry}>
      {error.message}
    </LoadFailure>
  );
}

/** One session: device, address, its three dates, and a button to end it. */
function OwnSessionCard({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const displayDate = useDisplayDate();
  const device = deviceName(session.user_agent);
  const DeviceIcon = isHandheld(session.user_agent) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes['card']} data-current={session.current || undefined}>
      <span className={classes['icon']}>
        <DeviceIcon size={20} stroke={1.6} aria-hidden />
      </span>
      <div className={classes['device']}>
        <span className={classes['name']}>
          {device}
          {session.current && <Badge color="success">This session</Badge>}
        </span>
        <span className="cut caption" title={session.user_agent === null ? undefined : withMarks(session.user_agent)}>
          <VisibleText text={session.user_agent ?? 'The device gave no user agent'} />
        </span>
      </div>
      <dl className={classes['facts']}>
        <Fact name="IP">
          <span className="mono">{session.ip ?? '-'}</span>
        </Fact>
        <Fact name="Created">{displayDate(session.created_at)}</Fact>
        <Fact name="Last used">{displayDate(session.last_used_at)}</Fact>
        <Fact name="Expires">{displayDate(session.expires_at)}</Fact>
      </dl>
      <Button
        className={classes['end'] ?? ''}
        variant="default"
        onClick={onEnd}
        aria-label={session.current ? 'End this session and sign out' : `End session on ${device}, ${session.ip ?? 'address unknown'}`}
      >
        {session.current ? 'Sign out' : 'End session'}
      </Button>
    </li>
  );
}

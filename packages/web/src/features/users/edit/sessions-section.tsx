import { Badge, Button } from '@mantine/core';
import { endAccountSession, listAccountSessions, type AccountSessions } from '@switchyard/contract/account-activity';
import type { Account } from '@switchyard/contract/accounts';
import type { OwnSession } from '@switchyard/contract/own-sessions';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../shared/api/call.ts';
import { deviceName } from '../../../shared/devices/device-name.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { useKeptFocus } from '../../../shared/ui/use-kept-focus.ts';
import { accountPartKey } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import classes from './account-parts.module.css';
import { PartState } from './part-state.tsx';

type Props = {
  panel: AccountPanel;
  account: Account;
  /** Whether nothing of the account can be changed, its sessions neither. */
  isLocked: boolean;
};

const noFallbacks: readonly string[] = [];

/** When the account did anything last and where it is signed in now; whoever may deny it access can end a session ([114]). */
export function SessionsSection({ panel, account, isLocked }: Props) {
  const client = useQueryClient();
  const mayEnd = useHoldsAny('manager_user_deactivate') && !isLocked;
  const queryKey = accountPartKey(panel, account.id, 'sessions');
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(listAccountSessions, { params: { id: account.id }, signal, isSilent: true }),
  });
  const askToEnd = (session: OwnSession): void => {
    const device = deviceName(session.user_agent);
    askConfirm({
      title: 'End this session?',
      lines: [`${device}, ${session.ip ?? 'address unknown'}. ${account.name} will have to sign in again there.`],
      isDangerous: true,
      action: async () => {
        try {
          await call(endAccountSession, { params: { id: account.id, sessionId: session.id } });
          notify({ type: 'success', message: `The session of ${account.name} on ${device} has ended` });
        } finally {
          // One that ended meanwhile answers 404; the fresh list shows that it is gone.
          await client.invalidateQueries({ queryKey });
        }
      },
    });
  };
  return (
    <FormSection
      title="Sessions and activity"
      summary="Where the person is signed in. Denying access or a new password ends every session."
    >
      {data === undefined ? (
        <PartState noun="sessions" error={error} onRetry={() => void refetch()} />
      ) : (
        <Sessions found={data.data} onEnd={mayEnd ? askToEnd : null} />
      )}
    </FormSection>
  );
}

/** `onEnd` null: the reader may end none. */
function Sessions({
  found: { last_active_at: lastActive, sessions },
  onEnd,
}: {
  found: AccountSessions;
  onEnd: ((session: OwnSession) => void) | null;
}) {
  const displayDate = useDisplayDate();
  const list = useKeptFocus<HTMLUListElement>(noFallbacks);
  return (
    <>
      <p className={classes['note']}>
        Last activity: <strong className="tabular">{lastActive === null ? 'never' : displayDate(lastActive)}</strong>
      </p>
      {sessions.length === 0 ? (
        <p className={classes['note']}>The account is signed in nowhere.</p>
      ) : (
        <ul ref={list} className={classes['sessions']} aria-label="Sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <span className={classes['what']} title={session.user_agent ?? undefined}>
                {deviceName(session.user_agent)}
                {session.current && (
                  <Badge size="sm" radius="sm" variant="light" color="success" tt="none">
                    Your session
                  </Badge>
                )}
              </span>
              <span className="mono">{session.ip ?? '-'}</span>
              <span className={`${classes['from'] ?? ''} tabular`}>
                since {displayDate(session.created_at)}, last used {displayDate(session.last_used_at)}
              </span>
              {onEnd !== null && !session.current && (
                <Button
                  className={classes['end'] ?? ''}
                  variant="default"
                  size="compact-sm"
                  onClick={() => onEnd(session)}
                  aria-label={`End session on ${deviceName(session.user_agent)}, ${session.ip ?? 'address unknown'}`}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

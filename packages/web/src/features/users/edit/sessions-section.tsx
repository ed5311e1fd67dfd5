import { Badge } from '@mantine/core';
import { listAccountSessions, type AccountSessions } from '@switchyard/contract/account-activity';
import type { Account } from '@switchyard/contract/accounts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../shared/api/call.ts';
import { deviceName } from '../../../shared/devices/device-name.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { accountPartKey } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import classes from './account-parts.module.css';
import { PartState } from './part-state.tsx';

type Props = { panel: AccountPanel; account: Account };

/** When the account did anything last and where it is signed in now. */
export function SessionsSection({ panel, account }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: accountPartKey(panel, account.id, 'sessions'),
    queryFn: ({ signal }) => call(listAccountSessions, { params: { id: account.id }, signal, isSilent: true }),
  });
  return (
    <FormSection
      title="Sessions and activity"
      summary="Where the person is signed in. Denying access or a new password ends every session."
    >
      {data === undefined ? <PartState noun="sessions" error={error} onRetry={() => void refetch()} /> : <Sessions found={data.data} />}
    </FormSection>
  );
}

function Sessions({ found: { last_active_at: lastActive, sessions } }: { found: AccountSessions }) {
  const displayDate = useDisplayDate();
  return (
    <>
      <p className={classes['note']}>
        Last activity: <strong className="tabular">{lastActive === null ? 'never' : displayDate(lastActive)}</strong>
      </p>
      {sessions.length === 0 ? (
        <p className={classes['note']}>The account is signed in nowhere.</p>
      ) : (
        <ul className={classes['sessions']} aria-label="Sessions">
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
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

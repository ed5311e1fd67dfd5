import { Badge, Button, Skeleton } from '@mantine/core';
import {
  endAccountSession,
  listAccountFactors,
  listAccountPermissions,
  listAccountSessions,
  resetAccountFactors,
  type AccountFactors,
  type AccountSessions,
  type EffectivePermission,
} from '@switchyard/contract/account-activity';
import type { Account } from '@switchyard/contract/accounts';
import type { OwnSession } from '@switchyard/contract/own-sessions';
import { permissionGroup } from '@switchyard/contract/roles';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CallError, isForbidden } from '../../../shared/api/call-error.ts';
import { call } from '../../../shared/api/call.ts';
import { deviceName } from '../../../shared/devices/device-name.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { askConfirm, askToChange } from '../../../shared/ui/confirm.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { accountPartKey, reloadParts } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import classes from './account-parts.module.css';
import { RetryNote } from '../../../shared/ui/retry.tsx';
import { Writes } from '../../../shared/ui/read-only.tsx';

type Props = { panel: AccountPanel; account: Account };

/** The permissions of the account as it is saved, each with the roles that grant it. */
export function PermissionsSection({ panel, account }: Props) {
  return (
    <AccountPart
      title="Effective permissions"
      summary="Combined permissions of the saved roles, and the roles that each one comes from."
      noun="permissions"
      queryKey={accountPartKey(panel, account.id, 'permissions')}
      load={(signal) => call(listAccountPermissions, { params: { id: account.id }, signal, isSilent: true })}
    >
      {(list) => <Permissions list={list} />}
    </AccountPart>
  );
}

function Permissions({ list }: { list: readonly EffectivePermission[] }) {
  if (list.length === 0) return <p className={classes['note']}>No role of this account allows anything.</p>;
  const groups = Map.groupBy(list, ({ label }) => permissionGroup(label));
  return (
    <div className={classes['groups']}>
      {[...groups].map(([group, permissions]) => (
        <details key={group} className={classes['group']}>
          <summary>
            {group} <span className={classes['count']}>{permissions.length}</span>
          </summary>
          <ul className={classes['permissions']}>
            {permissions.map(({ id, label, description, roles }) => (
              <li key={id}>
                <span className={classes['what']}>{description ?? label}</span>
                <code className={classes['code']}>{label}</code>
                <span className={classes['from']}>from {roles.join(', ')}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}

export type SessionsProps = Props & {
  /** Whether nothing of the account can be changed, including its sessions. */
  isLocked: boolean;
};

const noFallbacks: readonly string[] = [];

/** When the account was last active and where it is signed in. Accounts that may deny it access can end its sessions. */
export function SessionsSection({ panel, account, isLocked }: SessionsProps) {
  const client = useQueryClient();
  const mayEnd = useHoldsAny('manager_user_deactivate') && !isLocked;
  const queryKey = accountPartKey(panel, account.id, 'sessions');
  const askToEnd = (session: OwnSession): void => {
    const device = deviceName(session.user_agent);
    askToChange({
      title: 'End this session?',
      lines: [`${device}, ${session.ip ?? 'address unknown'}. ${account.name} will have to sign in again there.`],
      change: () => call(endAccountSession, { params: { id: account.id, sessionId: session.id } }),
      doneMessage: `The session of ${account.name} on ${device} has ended`,
      reload: () => client.invalidateQueries({ queryKey }),
    });
  };
  return (
    <AccountPart
      title="Sessions and activity"
      summary="Where the person is signed in. Denying access or a new password ends every session."
      noun="sessions"
      queryKey={queryKey}
      load={(signal) => call(listAccountSessions, { params: { id: account.id }, signal, isSilent: true })}
    >
      {(accountSessions) => <Sessions accountSessions={accountSessions} onEnd={mayEnd ? askToEnd : null} />}
    </AccountPart>
  );
}

/** The second factors of the account, and their reset for an owner who lost the device and the recovery codes. */
export function FactorsSection({ panel, account, isLocked }: SessionsProps) {
  const askToReset = (): void =>
    askConfirm({
      title: 'Reset the second factors?',
      lines: [
        `${account.name} will sign in with the password alone until a new second factor is added. Every session of the account ends, and its API tokens are revoked.`,
      ],
      isDangerous: true,
      action: async () => {
        try {
          await call(resetAccountFactors, { params: { id: account.id }, showsFailureItself: (status) => status === 404 });
          notify({ type: 'success', message: `The second factors of ${account.name} have been reset` });
        } catch (error) {
          if (!(error instanceof CallError) || error.status !== 404) throw error;
          notify({ type: 'info', message: `${account.name} has no second factor` });
        } finally {
          await reloadParts(panel, account.id);
        }
      },
    });
  return (
    <AccountPart
      title="Second factors"
      summary="For a person who has lost both the device and the recovery codes."
      noun="second factors"
      queryKey={accountPartKey(panel, account.id, 'second-factors')}
      load={(signal) => call(listAccountFactors, { params: { id: account.id }, signal, isSilent: true })}
      isHidden={isLocked}
    >
      {(accountFactors) => <Factors accountFactors={accountFactors} onReset={askToReset} />}
    </AccountPart>
  );
}

const kindNames = { totp: 'Authenticator app', passkey: 'Passkey' } as const;

function Factors({ accountFactors: { factors, required }, onReset }: { accountFactors: AccountFactors; onReset: () => void }) {
  const displayDate = useDisplayDate();
  if (factors.length === 0) return <p className={classes['note']}>No second factor.{required && ' The person is asked to set one up.'}</p>;
  return (
    <>
      <ul className={classes['sessions']} aria-label="Second factors">
        {factors.map(({ id, kind, created_at: createdAt, last_used_at: lastUsedAt }) => (
          <li key={id}>
            <span className={classes['what']}>{kindNames[kind]}</span>
            <span className={`${classes['from'] ?? ''} tabular`}>
              added {displayDate(createdAt)}, {lastUsedAt === null ? 'not used yet' : `last used ${displayDate(lastUsedAt)}`}
            </span>
          </li>
        ))}
      </ul>
      <div>
        <Writes>
          <Button variant="default" onClick={onReset}>
            Reset second factors
          </Button>
        </Writes>
      </div>
    </>
  );
}

/** `onEnd` is null if the reader may not end sessions. */
function Sessions({
  accountSessions: { last_active_at: lastActive, sessions },
  onEnd,
}: {
  accountSessions: AccountSessions;
  onEnd: ((session: OwnSession) => void) | null;
}) {
  const displayDate = useDisplayDate();
  const list = useFocusFallback<HTMLUListElement>(noFallbacks);
  return (
    <>
      <p className={classes['note']}>
        Last activity: <strong className="tabular">{lastActive === null ? 'never' : displayDate(lastActive)}</strong>
      </p>
      {sessions.length === 0 ? (
        <p className={classes['note']}>The account has no sessions.</p>
      ) : (
        <ul ref={list} className={classes['sessions']} aria-label="Sessions">
          {sessions.map((session) => (
            <li key={session.id}>
              <span className={classes['what']} title={session.user_agent ?? undefined}>
                {deviceName(session.user_agent)}
                {session.current && <Badge color="success">Your session</Badge>}
              </span>
              <span className="mono">{session.ip ?? '-'}</span>
              <span className={`${classes['from'] ?? ''} tabular`}>
                since {displayDate(session.created_at)}, last used {displayDate(session.last_used_at)}
              </span>
              {onEnd !== null && !session.current && (
                <Writes>
                  <Button
                    className={classes['end'] ?? ''}
                    variant="default"
                    size="compact-sm"
                    onClick={() => onEnd(session)}
                    aria-label={`End session on ${deviceName(session.user_agent)}, ${session.ip ?? 'address unknown'}`}
                  >
                    End
                  </Button>
                </Writes>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type PartProps<Data> = {
  title: string;
  summary: string;
  /** Plural noun of the values, e.g. `permissions`. */
  noun: string;
  queryKey: readonly unknown[];
  load: (signal: AbortSignal) => Promise<{ readonly data: Data }>;
  /** Whether the reader may not see the values. */
  isHidden?: boolean;
  children: (data: Data) => ReactNode;
};

/** A section of an account whose values are loaded apart from it. */
export function AccountPart<Data>({ title, summary, noun, queryKey, load, isHidden = false, children }: PartProps<Data>) {
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => load(signal), enabled: !isHidden });
  return (
    <FormSection title={title} summary={summary}>
      {isHidden || (data === undefined && isForbidden(error)) ? (
        <p className="note">Your account may not see the {noun}.</p>
      ) : data !== undefined ? (
        children(data.data)
      ) : error === null ? (
        <Skeleton component="output" display="block" height={96} radius="md" aria-label={`Loading the ${noun}`} />
      ) : (
        <RetryNote onRetry={refetch}>The {noun} could not be loaded.</RetryNote>
      )}
    </FormSection>
  );
}

import { Alert, Button, Stack } from '@mantine/core';
import { deleteServiceAccount, renewServiceSecret, updateServiceAccount, type ServiceAccount } from '@switchyard/contract/api-tokens';
import { IconInfoCircle, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { groupSummary } from '../../../shared/accounts/permission-groups.ts';
import { call, failingInPlace } from '../../../shared/api/call.ts';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { TokenForm } from '../../../shared/tokens/token-form.tsx';
import { TokenSecret } from '../../../shared/tokens/token-secret.tsx';
import { appsText, permissionsOf, tokenBody, type TokenValues } from '../../../shared/tokens/token-values.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { Fact } from '../../../shared/ui/fact.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../../shared/ui/popup.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { readOnlyText } from './service-accounts-columns.tsx';
import classes from './service-accounts.module.css';
import { Writes } from '../../../shared/ui/read-only.tsx';

type Props = { account: ServiceAccount | null; allAppsLabel: string | null; onClose: () => void; onChanged: () => void };

/** The dialog of a service account: its fields, and what else can be done with it. */
export function ServiceAccountDialog({ account, allAppsLabel, onClose, onChanged }: Props) {
  // Keeps the account during the fade-out.
  const [shownAccount, setShownAccount] = useState(account);
  const [secret, setSecret] = useState<string | null>(null);
  if (account !== null && account !== shownAccount) setShownAccount(account);
  return (
    <Popup
      isOpen={account !== null}
      onClose={onClose}
      onClosed={() => setSecret(null)}
      title={secret !== null ? 'New token' : (shownAccount?.name ?? '')}
      width={secret === null ? 720 : 520}
      closeOnBackdrop={false}
      closeOnEscape={secret === null}
      hasCloseIcon={secret === null}
    >
      {shownAccount !== null && secret !== null && <TokenSecret secret={secret} onDone={onClose} />}
      {shownAccount !== null && secret === null && shownAccount.read_only && <ReadOnly account={shownAccount} />}
      {shownAccount !== null && secret === null && !shownAccount.read_only && (
        <Stack gap="md">
          <Actions account={shownAccount} onClose={onClose} onChanged={onChanged} onSecret={setSecret} />
          <TokenForm
            key={shownAccount.id}
            token={shownAccount}
            mayNeverExpire
            allAppsLabel={allAppsLabel}
            save={async (values) => {
              await save(shownAccount, values);
              onChanged();
              onClose();
            }}
            onClose={onClose}
          />
        </Stack>
      )}
    </Popup>
  );
}

async function save({ id }: ServiceAccount, values: TokenValues): Promise<void> {
  const body = { ...tokenBody(values), ...(values.days === undefined ? {} : { expires_in_days: values.days }) };
  const { data } = await call(updateServiceAccount, { params: { id }, body, ...failingInPlace });
  notify({ type: 'success', message: `Service account "${withMarks(data.name)}" saved` });
}

type ActionsProps = {
  account: ServiceAccount;
  onClose: () => void;
  onChanged: () => void;
  onSecret: (secret: string) => void;
};

function Actions({ account: { id, name, owner, is_stopped: isStopped }, onClose, onChanged, onSecret }: ActionsProps) {
  const isOwn = useSessionUser()?.id === owner.id;
  const renew = (): void => {
    askConfirm({
      title: `New token for ${name}?`,
      lines: ['The token in use stops at once.', ...(isOwn ? [] : ['You become the owner, because you are shown the token.'])],
      isDangerous: true,
      action: async () => {
        const { data } = await call(renewServiceSecret, { params: { id } });
        onSecret(data.secret);
        onChanged();
      },
    });
  };
  const takeOver = (): void => {
    askConfirm({
      title: `Take over ${name}?`,
      lines: ['It then works within your permissions and apps, and Activity names you.', 'Anybody who has its token can still use it.'],
      action: async () => {
        await call(updateServiceAccount, { params: { id }, body: { take_over: true } });
        notify({ type: 'success', message: `You own service account "${withMarks(name)}" now` });
        onChanged();
        onClose();
      },
    });
  };
  const remove = (): void => {
    askConfirm({
      title: `Delete ${name}?`,
      lines: ['Programs that use its token can no longer make calls.'],
      isDangerous: true,
      action: async () => {
        await call(deleteServiceAccount, { params: { id } });
        notify({ type: 'success', message: `Service account "${withMarks(name)}" deleted` });
        onChanged();
        onClose();
      },
    });
  };
  return (
    <>
      {isStopped && (
        <Alert color="warning" variant="light" p="xs" icon={<IconInfoCircle size={18} aria-hidden />}>
          It does not work because <VisibleText text={owner.name} /> lost access. Take it over to let it work again.
        </Alert>
      )}
      <div className={classes['actions']}>
        <Writes>
          <Button variant="default" size="xs" onClick={renew}>
            New token
          </Button>
        </Writes>
        {!isOwn && (
          <Writes>
            <Button variant="default" size="xs" onClick={takeOver}>
              Take over
            </Button>
          </Writes>
        )}
        <Writes>
          <Button variant="default" size="xs" onClick={remove}>
            Delete
          </Button>
        </Writes>
      </div>
    </>
  );
}

function ReadOnly({ account }: { account: ServiceAccount }) {
  const displayDate = useDisplayDate();
  const { owner, networks, expires_at: expires } = account;
  return (
    <Stack gap="md">
      <Alert color="warning" variant="light" p="xs" icon={<IconLock size={18} aria-hidden />} role="note">
        {readOnlyText}
      </Alert>
      <dl className={classes['facts']}>
        <Fact name="Owner">
          <VisibleText text={owner.name} />
        </Fact>
        <Fact name="Permissions">{groupSummary(permissionsOf(account))}</Fact>
        <Fact name="Apps">{appsText(account)}</Fact>
        <Fact name="Networks">{networks.length === 0 ? 'Everywhere' : networks.join(', ')}</Fact>
        <Fact name="Expires">{expires === null ? 'Never' : displayDate(expires)}</Fact>
      </dl>
    </Stack>
  );
}

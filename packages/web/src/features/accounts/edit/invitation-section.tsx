import { Button, Group } from '@mantine/core';
import { getInvitation, renewInvitation, withdrawInvitation, type Invitation } from '@switchyard/contract/invitations';
import type { Account } from '@switchyard/contract/accounts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../shared/api/call.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { askToChange } from '../../../shared/ui/confirm.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import { accountPartKey } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import { InvitationLink } from '../form/invitation-link.tsx';
import classes from './account-parts.module.css';
import { Writes } from '../../../shared/ui/read-only.tsx';

/** How often the state of a mail that is being sent is read, in milliseconds. */
const mailInterval = 2000;

type Props = { panel: AccountPanel; account: Account; /** Whether nothing of the account can be changed. */ isLocked: boolean };

/** The invitation of an account that nobody uses yet; nothing for other accounts. */
export function InvitationSection({ panel, account, isLocked }: Props) {
  const client = useQueryClient();
  const queryKey = accountPartKey(panel, account.id, 'invitation');
  const [link, setLink] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(getInvitation, { params: { id: account.id }, signal, isSilent: true }),
    refetchInterval: (query) => (query.state.data?.data.mail === 'queued' ? mailInterval : false),
  });
  if (data === undefined || data.data.state === 'none') return null;
  const { state, mail } = data.data;
  const reload = async (): Promise<void> => client.invalidateQueries({ queryKey });

  async function renew(): Promise<void> {
    setIsBusy(true);
    try {
      const { data: newInvitation } = await call(renewInvitation, { params: { id: account.id } });
      setLink(newInvitation.link);
      if (newInvitation.link === null) notify({ type: 'success', message: `The invitation is on its way to ${account.email}` });
    } catch {
      // The notification of the call has shown it.
    } finally {
      await reload();
      setIsBusy(false);
    }
  }
  const askToWithdraw = (): void =>
    askToChange({
      title: 'Withdraw the invitation?',
      lines: [`The link of ${account.name} stops working. The account stays.`],
      change: () => call(withdrawInvitation, { params: { id: account.id } }),
      doneMessage: `The invitation of ${account.name} has been withdrawn`,
      reload,
    });
  return (
    <FormSection title="Invitation" summary="Nobody has set a password for this account yet.">
      <InvitationState invitation={data.data} account={account} />
      <Group gap="xs">
        <Writes>
          <Button variant="default" disabled={isLocked || isBusy} onClick={() => void renew()}>
            {state === 'withdrawn' ? 'Invite again' : mail === null ? 'New link' : 'Send again'}
          </Button>
        </Writes>
        {state !== 'withdrawn' && (
          <Writes>
            <Button variant="default" disabled={isLocked || isBusy} onClick={askToWithdraw}>
              Withdraw
            </Button>
          </Writes>
        )}
      </Group>
      {link !== null && <InvitationLink name={account.name} link={link} onClose={() => setLink(null)} />}
    </FormSection>
  );
}

const mailTexts = {
  queued: 'The message to {email} is on its way.',
  sent: 'The link was sent to {email}.',
  retrying: 'The message to {email} could not be sent yet. Delivery will be retried.',
  failed: 'The message to {email} could not be sent. Check the address, then send it again.',
} as const;

function InvitationState({
  invitation: { state, expires_at: expiresAt, mail },
  account: { email, hasAccess },
}: {
  invitation: Invitation;
  account: Account;
}) {
  const displayDate = useDisplayDate();
  const at = expiresAt === null ? '' : displayDate(expiresAt);
  if (state === 'withdrawn') return <p className={classes['note']}>There is no link. Invite the person again, or set a password above.</p>;
  if (state === 'expired') {
    return (
      <p className={classes['note']}>
        The link expired on <strong className="tabular">{at}</strong>.
      </p>
    );
  }
  const [before = '', after = ''] = mail === null ? [] : mailTexts[mail].split('{email}');
  return (
    <p className={classes['note']} aria-live="polite">
      {mail !== null && (
        <>
          {before}
          <VisibleText text={email} />
          {after}{' '}
        </>
      )}
      {mail !== 'failed' && (
        <>
          {mail === null ? 'The link' : 'It'} works until <strong className="tabular">{at}</strong>.
        </>
      )}
      {!hasAccess && ' The account has no access, so the link does not work yet.'}
    </p>
  );
}

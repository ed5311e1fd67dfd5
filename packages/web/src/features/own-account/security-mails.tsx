import { Switch, Text } from '@mantine/core';
import {
  listSecurityMails,
  optionalSecurityMails,
  switchSecurityMail,
  type SecurityMailEvent,
  type SecurityMails,
} from '@switchyard/contract/security-mails';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { FormSection } from '../../shared/form/form-section.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import classes from './security-mails.module.css';
import { UntilLoaded } from './until-loaded.tsx';

const mailsKey = ['own-security-mails'];
type SecurityMail = SecurityMails['mails'][number];

/** Each event in words. */
const words: Readonly<Record<SecurityMailEvent, { label: string; description: string }>> = {
  password_changed: { label: 'Password changed', description: 'By you, an administrator or a mailed link' },
  address_changed: { label: 'Email changed', description: 'Sent to the old address' },
  factor_removed: { label: 'Second factor removed', description: 'By you, or all of them by an administrator' },
  recovery_code_used: { label: 'Recovery code used', description: 'With the number of codes left' },
  recovery_codes_renewed: { label: 'Recovery codes replaced', description: 'The old ones stop working' },
  mail_switched_off: { label: 'Security mail switched off', description: 'When one of the switches below is turned off' },
  new_network: { label: 'Sign-in from a new network', description: 'One that you did not use in the last 30 days' },
  factor_added: { label: 'Second factor added', description: 'An authenticator app or a passkey' },
  token_created: { label: 'API token created', description: 'Also for service accounts that you own' },
};

/** The events that the reader gets a mail about, with a switch each. */
export function SecurityMailSwitches() {
  const query = useQuery({ queryKey: mailsKey, queryFn: () => call(listSecurityMails) });
  const own = query.data?.data;
  return (
    <FormSection title="Security mails" summary="Mails about your account, so that you notice when somebody else uses it.">
      <UntilLoaded query={query} what="Your security mails" />
      {own !== undefined && !own.available && (
        <Text size="sm" c="dimmed">
          No security mails are sent to your account: the console has no mail server, or this is a demo account.
        </Text>
      )}
      {own?.available === true && <Switches mails={own.mails} />}
    </FormSection>
  );
}

function Switches({ mails }: { mails: readonly SecurityMail[] }) {
  return (
    <>
      <fieldset className={classes['group']}>
        <legend>Always on</legend>
        <Text size="xs" c="dimmed">
          Somebody who takes over your account could otherwise switch them off.
        </Text>
        {mails.filter((mail) => mail.is_required).map(switchOf)}
      </fieldset>
      <fieldset className={classes['group']}>
        <legend>Your choice</legend>
        {mails.filter((mail) => !mail.is_required).map(switchOf)}
      </fieldset>
    </>
  );
}

const switchOf = (mail: SecurityMail) => <MailSwitch key={mail.event} mail={mail} />;

function MailSwitch({ mail: { event, is_on: isOn, is_required: isRequired } }: { mail: SecurityMail }) {
  const client = useQueryClient();
  const [isRunning, setIsRunning] = useState(false);
  const { label, description } = words[event];
  const optional = optionalSecurityMails.find((other) => other === event);
  const toggle = async (next: boolean): Promise<void> => {
    if (optional === undefined) return;
    setIsRunning(true);
    try {
      client.setQueryData(mailsKey, await call(switchSecurityMail, { body: { event: optional, is_on: next } }));
      notify({ type: 'success', message: `Mails about "${label}" are ${next ? 'on' : 'off'}` });
    } catch {
      // The call has shown why; the switch stays as it was.
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <Switch
      label={label}
      description={description}
      checked={isOn}
      disabled={isRequired || isRunning}
      onChange={(change) => void toggle(change.currentTarget.checked)}
    />
  );
}

import { Alert, Text } from '@mantine/core';
import { viewAsMessages } from '@switchyard/contract/view-as';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { FormSection } from '../../shared/form/form-section.tsx';
import { Page } from '../../shared/page/page.tsx';
import { viewAs } from '../../shared/session/view-as.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useSettings } from '../../shared/settings.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import classes from './account-page.module.css';
import { ownSessionsKey } from './other-sessions.ts';
import { OwnSessions } from './own-sessions-page.tsx';
import { OwnTokens } from './own-tokens.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactors } from './second-factors.tsx';
import { SecurityMailSwitches } from './security-mails.tsx';
import { Fact } from '../../shared/ui/fact.tsx';

/** Who is signed in, with the own password, second factors, API tokens and sessions. Open to every account, including buyers. */
export function AccountPage() {
  const user = useSessionUser();
  if (user === null) return null;
  return (
    <Page>
      <div className={classes['parts']}>
        <FormSection title="Account" summary="Your name and roles. An administrator can change them.">
          <dl className={classes['facts']}>
            <Fact name="Name">{user.name}</Fact>
            {/* A role that is viewed as has none. */}
            {user.email !== '' && <Fact name="Email">{user.email}</Fact>}
            <Fact name={user.roles.length === 1 ? 'Role' : 'Roles'}>{user.roles.length === 0 ? 'None' : user.roles.join(', ')}</Fact>
          </dl>
        </FormSection>
        {viewAs.get() === null ? <OwnParts email={user.email} /> : <p className="note">{viewAsMessages.notShown}</p>}
      </div>
    </Page>
  );
}

/** The part of an account that only its owner may see and change. */
function OwnParts({ email }: { email: string }) {
  const { loginMethods } = useSettings();
  const client = useQueryClient();
  const passwordChanged = (): void => {
    notify({ type: 'success', message: 'Your password is changed. All your other sessions have ended' });
    void client.invalidateQueries({ queryKey: ownSessionsKey });
  };
  return (
    <>
      {loginMethods === 'google' ? (
        <FormSection title="Password" summary="How you sign in.">
          <Alert color="info" variant="light" p="xs" icon={<IconInfoCircle size={18} aria-hidden />}>
            You sign in with Google, so there is no password to change here.
          </Alert>
        </FormSection>
      ) : (
        <PasswordForm email={email} onSaved={passwordChanged} />
      )}
      <SecondFactors />
      <OwnTokens />
      <SecurityMailSwitches />
      <section className={classes['sessions']} aria-labelledby="own-sessions">
        <h2 id="own-sessions" className={classes['heading']}>
          Sessions
        </h2>
        <Text size="sm" c="dimmed">
          Devices where you are signed in. End sessions that you do not recognize, then change your password.
        </Text>
        <OwnSessions />
      </section>
    </>
  );
}

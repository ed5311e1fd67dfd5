import { Button, Title } from '@mantine/core';
import { holdsAny, permissionCatalogue } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { IconLock } from '@tabler/icons-react';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import type { DeniedPage } from '../../shared/session/denied-page.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { LoginFrame } from './login-frame.tsx';
import classes from './login-page.module.css';

type Props = { page: DeniedPage; user: SessionUser; onOtherAccount: () => void };

/** Names the permission that a page needs to a signed-in account. The guard shows this instead of the page. */
export function DeniedCard({ page, user, onOtherAccount }: Props) {
  const managesRoles = holdsAny(user.permissions, ['manager_settings_roles']);
  const missingPermissions = permissionCatalogue.filter(({ label }) => page.permissions.includes(label));
  return (
    <LoginFrame>
      <Title order={1} className={classes['heading'] ?? ''}>
        No access
      </Title>
      <div className={classes['error']} role="alert">
        <IconLock size={18} stroke={1.8} aria-hidden />
        You do not have access to {page.title}
      </div>
      <div className={classes['text']}>
        {missingPermissions.length === 1 ? 'This page needs the permission' : 'This page needs one of the permissions'}
        <ul className={classes['permissions']} aria-label="Missing permissions">
          {missingPermissions.map(({ label, description }) => (
            <li key={label}>
              {description} <code>{label}</code>
              {managesRoles && (
                <>
                  {' '}
                  <AppLink href={paths.whoCan({ permission: label })}>Who can?</AppLink>
                </>
              )}
            </li>
          ))}
        </ul>
        You are signed in as <VisibleText text={user.name} />. Ask an administrator for a role that has{' '}
        {missingPermissions.length === 1 ? 'it' : 'one of them'}.
      </div>
      <Button component={AppLink} href={paths.home()} size="md" fullWidth>
        Back to the console
      </Button>
      <Button variant="subtle" fullWidth onClick={onOtherAccount}>
        Sign in with another account
      </Button>
    </LoginFrame>
  );
}

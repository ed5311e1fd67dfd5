import { Alert } from '@mantine/core';
import type { NewInvitation } from '@switchyard/contract/invitations';
import type { Account } from '@switchyard/contract/accounts';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { EntityPage } from '../../../shared/form/entity-page.tsx';
import { useOpenPath } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { accountsChanged } from '../account-cache.ts';
import { buyers, staff, type AccountPanel } from '../account-panels.ts';
import { AccountForm } from '../form/account-form.tsx';
import { InvitationLink } from '../form/invitation-link.tsx';
import { offeredRoles } from '../form/account-rights.ts';
import { useRoles } from '../form/role-choices.tsx';

/** Creates a staff account. */
export function CreateUserPage() {
  return <CreateAccountPage panel={staff} notice={<NewUsersApps />} />;
}

/** Creates a buyer. */
export function CreateBuyerPage() {
  return <CreateAccountPage panel={buyers} />;
}

function CreateAccountPage({ panel, notice }: { panel: AccountPanel; notice?: ReactNode }) {
  const openPath = useOpenPath();
  const mayEdit = useHoldsAny('manager_user_edit');
  const roles = useRoles(panel);
  const hasStatistics = useHoldsAny('manager_app_statistics');
  const choices = offeredRoles(roles.list, { isNew: true, hasStatistics });
  const lock = choices.length > 0 && !choices.some(({ assignable }) => assignable) ? noGrantText(panel) : null;
  const [invitedAccount, setInvited] = useState<{ account: Account; link: string } | null>(null);
  const open = ({ id }: Account): void => {
    // Not before: the form below the dialog would find its own name to be taken.
    void accountsChanged(panel);
    openPath(mayEdit ? panel.editPath(id) : paths.users(panel.tab));
  };
  const onCreated = (account: Account, invitation: NewInvitation | null): void => {
    const what = `${panel.noun === 'user' ? 'User' : 'Buyer'} "${account.name}" created`;
    const isMailed = invitation !== null && invitation.link === null;
    notify({ type: 'success', message: isMailed ? `${what}. The invitation is on its way to ${account.email}` : what });
    if (invitation?.link === undefined || invitation.link === null) open(account);
    else setInvited({ account, link: invitation.link });
  };
  return (
    <EntityPage listTitle="Users" listPath={paths.users(panel.tab)}>
      <AccountForm panel={panel} roles={roles} lock={lock} notice={notice} onSaved={onCreated} />
      {invitedAccount !== null && (
        <InvitationLink name={invitedAccount.account.name} link={invitedAccount.link} onClose={() => open(invitedAccount.account)} />
      )}
    </EntityPage>
  );
}

/** Shown before anything is typed, because every account needs a role. */
function noGrantText({ noun }: AccountPanel): string {
  return `You cannot create a ${noun}: your account does not hold the permissions of any role a ${noun} can have. Ask an administrator.`;
}

/** Which apps a new user will see: all of them, or those of a creator who sees only some. */
function NewUsersApps() {
  const hasAllApps = useSessionUser()?.hasAllApps === true;
  return hasAllApps ? (
    <Alert color="warning" variant="light" p="xs" mb="xs" icon={<IconAlertTriangle size={18} aria-hidden />} title="Access to all apps">
      A new user sees every app until you choose some on the Apps tab of their page.
    </Alert>
  ) : (
    <Alert color="info" variant="light" p="xs" mb="xs" icon={<IconInfoCircle size={18} aria-hidden />} title="Access to your apps">
      A new user sees the apps that you see; you can choose fewer on the Apps tab of their page.
    </Alert>
  );
}

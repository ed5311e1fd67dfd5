import { Alert } from '@mantine/core';
import type { Account } from '@switchyard/contract/accounts';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useOpenPath, useRouteTitle } from '../../../shared/navigation.tsx';
import { Page } from '../../../shared/page/page.tsx';
import { paths } from '../../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { accountsChanged } from '../account-cache.ts';
import { buyers, staff, type AccountPanel } from '../account-panels.ts';
import { AccountForm } from '../form/account-form.tsx';
import { createBody } from '../form/account-form-values.ts';
import { offeredRoles } from '../form/refusals.ts';
import { useRoles } from '../form/use-roles.ts';

/** Creates a staff account (USER-014 to USER-023). */
export function CreateUserPage() {
  return <CreateAccountPage panel={staff} notice={<NewUsersApps />} />;
}

/** Creates a buyer (BUY-006 to BUY-009). */
export function CreateBuyerPage() {
  return <CreateAccountPage panel={buyers} />;
}

function CreateAccountPage({ panel, notice }: { panel: AccountPanel; notice?: ReactNode }) {
  const title = useRouteTitle();
  const openPath = useOpenPath();
  const mayEdit = useHoldsAny('manager_user_edit');
  const roles = useRoles(panel);
  const hasStatistics = useHoldsAny('manager_app_statistics');
  const offered = offeredRoles(roles.list, { isNew: true, hasStatistics });
  const refusal = offered.length > 0 && !offered.some(({ assignable }) => assignable) ? noGrantText(panel) : null;
  const created = ({ id, name }: Account): void => {
    notify({ type: 'success', message: `${panel.noun === 'user' ? 'User' : 'Buyer'} "${name}" created` });
    void accountsChanged(panel);
    openPath(mayEdit ? panel.editPath(id) : paths.users(panel.tab));
  };
  return (
    <Page title="Users" titleHref={paths.users(panel.tab)} documentTitle={title} crumbs={[{ label: title }]}>
      <AccountForm
        panel={panel}
        roles={roles}
        refusal={refusal}
        notice={notice}
        save={({ values, hasPassword }) => panel.create(createBody(values, { password: hasPassword, apps: panel.panel === 'buyer' }))}
        onSaved={created}
      />
    </Page>
  );
}

/** Told before anything is typed, as every account needs a role (api 0.12). */
function noGrantText({ noun }: AccountPanel): string {
  return `You cannot create a ${noun}: your account does not hold the permissions of any role a ${noun} can have. Ask an administrator.`;
}

/** Which apps a new user will see: all of them, or those of a creator who does not see all himself (api 0.11). */
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

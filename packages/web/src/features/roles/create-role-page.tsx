import type { Panel } from '@switchyard/contract/permissions';
import { createRole } from '@switchyard/contract/roles';
import { call } from '../../shared/api/call.ts';
import { useOpenPath, useRouteTitle } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { WithPermissions } from './with-permissions.tsx';
import { RoleForm } from './role-form.tsx';
import { forgetRoles } from './role-query.ts';
import { toBody } from './role-values.ts';

/** Creates a role of a panel and opens its edit page in place of this one, so that going back leads to the list (ROLE-019). */
function CreateRolePage({ panel }: { panel: Panel }) {
  const openPath = useOpenPath();
  const title = useRouteTitle();
  return (
    <Page title="Roles" titleHref={paths.roles(panel)} documentTitle={title} crumbs={[{ label: title }]}>
      <WithPermissions panel={panel}>
        {(permissions) => (
          <RoleForm
            permissions={permissions}
            save={async (values) =>
              // The panel of staff is called 'manager' in this one call (AMB-161).
              (await call(createRole, { body: { ...toBody(values), panel: panel === 'user' ? 'manager' : panel } })).data
            }
            onSaved={({ id, name }) => {
              notify({ type: 'success', message: `Role "${name}" created` });
              void forgetRoles();
              openPath(paths.roleEdit(panel, id), { replace: true });
            }}
          />
        )}
      </WithPermissions>
    </Page>
  );
}

/** Creates a role of staff (ROLE-002). */
export function CreateUserRolePage() {
  return <CreateRolePage panel="user" />;
}

/** Creates a role of buyers (ROLE-003). */
export function CreateBuyerRolePage() {
  return <CreateRolePage panel="buyer" />;
}

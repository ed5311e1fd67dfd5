import { Alert, Button, Input, Skeleton } from '@mantine/core';
import type { Panel } from '@switchyard/contract/permissions';
import { roleMessages, roleNameCharacters, type PermissionRow, type Role } from '@switchyard/contract/roles';
import { useQuery } from '@tanstack/react-query';
import { IconEqual, IconCopy, IconLock } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useId, type ReactNode } from 'react';
import { isForbidden } from '../../shared/api/call-error.ts';
import { SaveBarForm, NameField } from '../../shared/form/save-bar-form.tsx';
import { CopyPage, EntityPage, HistoryLink, LoadedEntity } from '../../shared/form/entity-page.tsx';
import { FormSection } from '../../shared/form/form-section.tsx';
import { limitProps } from '../../shared/form/limited.ts';
import { useDraft } from '../../shared/form/use-draft.ts';
import { useEntityEdit } from '../../shared/form/use-entity-edit.ts';
import { AppLink, readId, useGoBack, useOpenPath, useParameter } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { refreshUser } from '../../shared/session/refresh-user.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { PermissionGroup } from '../../shared/accounts/permission-group.tsx';
import { permissionGroups } from '../../shared/accounts/permission-groups.ts';
import { ViewAsButton } from '../../shared/accounts/view-as-button.tsx';
import classes from './role-form.module.css';
import { RolePreviewLine } from './role-preview.tsx';
import {
  cacheRole,
  fixedSetReason,
  mayGrant,
  readOnlyReason,
  refreshRoles,
  roleModel,
  roleQuery,
  storeRole,
  usePermissions,
} from './role-model.ts';

/** Creates a staff role. */
export function CreateUserRolePage() {
  return <CreateRolePage panel="user" />;
}

/** Creates a buyer role. */
export function CreateBuyerRolePage() {
  return <CreateRolePage panel="buyer" />;
}

/** Edits a staff role. */
export function EditUserRolePage() {
  return <EditRolePage panel="user" />;
}

/** Edits a buyer role. */
export function EditBuyerRolePage() {
  return <EditRolePage panel="buyer" />;
}

/** Creates a role; the address may name one from which to take the permissions. */
function CreateRolePage({ panel }: { panel: Panel }) {
  const id = readId(useParameter('copy')[0]);
  const page = { listTitle: 'Roles', listPath: paths.roles(panel) };
  if (id !== null) return <CopyRole key={id} panel={panel} id={id} page={page} />;
  return (
    <EntityPage {...page}>
      <RoleForm panel={panel} />
    </EntityPage>
  );
}

function CopyRole({ panel, id, page }: { panel: Panel; id: number; page: { listTitle: string; listPath: string } }) {
  const query = useQuery(roleQuery(id));
  return (
    <CopyPage {...page} noun="role" query={query}>
      {(role) => <RoleForm panel={panel} copiedRole={role} />}
    </CopyPage>
  );
}

function RoleLinks({ role: { panel, id, label } }: { role: Role }) {
  return (
    <>
      <ViewAsButton subject={{ kind: 'role', id, name: label }} />
      <Button
        component={AppLink}
        href={paths.roleCreate(panel, id)}
        size="compact-md"
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
      >
        Duplicate
      </Button>
      <Button
        component={AppLink}
        href={paths.comparePermissions({ one: `role-${id}` })}
        size="compact-md"
        variant="default"
        leftSection={<IconEqual size={16} aria-hidden />}
      >
        Compare
      </Button>
      <HistoryLink href={paths.roleHistory(id)} />
    </>
  );
}

function EditRolePage({ panel }: { panel: Panel }) {
  return (
    <LoadedEntity
      noun="role"
      listTitle="Roles"
      listPath={paths.roles(panel)}
      renderActions={(role) => <RoleLinks role={role} />}
      query={roleQuery}
    >
      {(role) => (role.panel === panel ? <RoleForm panel={panel} role={role} /> : <OtherPanel role={role} />)}
    </LoadedEntity>
  );
}

/** Redirects to the address of a role of the other panel. */
function OtherPanel({ role: { panel, id } }: { role: Role }) {
  const openPath = useOpenPath();
  const redirect = useEffectEvent(() => openPath(paths.roleEdit(panel, id), { replace: true }));
  useEffect(() => redirect(), []);
  return null;
}

type FormProps = {
  panel: Panel;
  /** The role to edit; without it a new one is created. */
  role?: Role;
  /** The role whose permissions a new one begins with. */
  copiedRole?: Role;
};

/** The form of a role once the permissions of its panel are loaded. */
function RoleForm(props: FormProps) {
  const { data, error, isFetching, refetch } = usePermissions(props.panel);
  if (data !== undefined) return <LoadedRoleForm {...props} permissions={data.data} />;
  if (error === null) {
    return (
      <output aria-label="Loading">
        <Skeleton height={280} radius="lg" />
      </output>
    );
  }
  if (isForbidden(error)) {
    return (
      <StatePanel icon={IconLock} tone="warning" title="No access">
        Your account may not see the permissions. Ask an administrator for the permission.
      </StatePanel>
    );
  }
  return (
    <LoadFailure title="The permissions could not be loaded" isRunning={isFetching} onRetry={() => void refetch()}>
      {error.message}
    </LoadFailure>
  );
}

const nobody = { permissions: [], isSuperAdmin: false };

function LoadedRoleForm({ panel, role, copiedRole, permissions }: FormProps & { permissions: readonly PermissionRow[] }) {
  const caller = useSessionUser() ?? nobody;
  const readOnly = role === undefined ? null : readOnlyReason(role, caller);
  const fixedSet = fixedSetReason(role);
  const model = roleModel(permissions);
  const grantableIds = new Set(permissions.filter((permission) => mayGrant(caller, permission)).map(({ id }) => id));
  const copiedIds = copiedRole?.permission_ids.filter((id) => grantableIds.has(id)) ?? [];
  const withheldCount = (copiedRole?.permission_ids.length ?? 0) - copiedIds.length;
  const draft = useDraft(model, role, role === undefined ? { name: '', permissionIds: copiedIds } : undefined);
  const showSaved = useSaved(panel, draft.origin === undefined);
  const edit = useEntityEdit(model, draft, {
    entity: role,
    save: (values, base) => storeRole(panel, values, base),
    lock: readOnly === null ? null : 'You can look at this role, but not change it.',
    onReplaced: cacheRole,
    onSaved: showSaved,
  });
  const { name, permissionIds } = draft.values;
  const error = draft.errorOf('permissionIds');
  // This message belongs to one checkbox, so it is shown there and not at the group.
  const isLockout = error === roleMessages.lastOwnAccess;
  const [label, saveLabel] = draft.origin === undefined ? ['New role', 'Create'] : [`Role ${draft.origin.name}`, 'Save'];

  return (
    <SaveBarForm
      edit={edit}
      label={label}
      saveLabel={saveLabel}
      maySave={readOnly === null}
      details={role !== undefined && <RolePreviewLine role={role} permissionIds={permissionIds} />}
    >
      {readOnly !== null && (
        <Alert color="warning" variant="light" icon={<IconLock size={18} aria-hidden />} title="This role is read-only for you" role="note">
          {readOnly}
        </Alert>
      )}
      <FormSection title="Role" summary={role === undefined ? 'Name shown to people who grant this role.' : holdersText(role)}>
        <NameField
          label="Title"
          name="name"
          {...limitProps(name, roleNameCharacters)}
          spellCheck={false}
          value={name}
          readOnly={readOnly !== null}
          data-locked={readOnly !== null || undefined}
          error={draft.errorOf('name')}
          onChange={(value) => draft.set({ name: value })}
        />
      </FormSection>
      <FormSection
        title="Permissions"
        summary={`${permissionIds.length} of ${permissions.length} chosen. At least one is needed; an account has those of all its roles.`}
      >
        {withheldCount > 0 && (
          <p className="note">
            Your account may not grant {withheldCount === 1 ? 'one permission' : `${withheldCount} permissions`} of the duplicated role.
          </p>
        )}
        {fixedSet !== null && <p className="note">{fixedSet}</p>}
        <Permissions error={isLockout ? undefined : error}>
          {permissionGroups(permissions).map((group) => (
            <PermissionGroup
              key={group.name}
              group={group}
              chosenIds={permissionIds}
              onChange={(ids) => draft.set({ permissionIds: ids })}
              isLocked={readOnly !== null || fixedSet !== null}
              mayGrant={(permission) => mayGrant(caller, permission)}
              error={isLockout ? { label: 'manager_settings_roles', message: roleMessages.lastOwnAccess } : undefined}
            />
          ))}
        </Permissions>
      </FormSection>
    </SaveBarForm>
  );
}

/** Reports a saved role. A new one opens its edit page in place of this one, so that going back leads to the list; one with more stays. */
function useSaved(panel: Panel, isNew: boolean): (role: Role, hasMore: boolean) => void {
  const openPath = useOpenPath();
  const goBack = useGoBack();
  return ({ id, name }, hasMore) => {
    notify({ type: 'success', message: `Role "${name}" ${isNew ? 'created' : 'saved'}` });
    void refreshRoles();
    // Menu and route guard follow the reader's own roles. The session names roles by label, which may just have changed, so
    // it cannot know whether this is one of them.
    if (!isNew) void refreshUser();
    if (hasMore) return;
    if (isNew) openPath(paths.roleEdit(panel, id), { replace: true });
    else goBack(paths.roles(panel));
  };
}

type PermissionsProps = { error: string | undefined; children: ReactNode };

/** All groups of permissions, with the message about the choice. */
function Permissions({ error, children }: PermissionsProps) {
  const id = useId();
  return (
    <fieldset
      aria-label="Permissions"
      aria-describedby={error === undefined ? undefined : id}
      data-wrong={error !== undefined || undefined}
      className={classes['groups']}
    >
      {error !== undefined && <Input.Error id={id}>{error}</Input.Error>}
      {children}
    </fieldset>
  );
}

function holdersText({ users_count: count }: Role): string {
  if (count === 0) return 'Nobody holds this role yet.';
  return `${count === 1 ? 'One account holds' : `${count} accounts hold`} this role. A change takes effect with their next request.`;
}

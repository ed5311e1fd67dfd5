import { Alert, Input, TextInput } from '@mantine/core';
import { roleMessages, roleNameCharacters, type PermissionRow, type Role } from '@switchyard/contract/roles';
import { IconLock } from '@tabler/icons-react';
import { useId, type ReactNode } from 'react';
import { FormSection } from '../../shared/form/form-section.tsx';
import formClasses from '../../shared/form/form.module.css';
import { PageForm } from '../../shared/form/page-form.tsx';
import { SaveBar } from '../../shared/form/save-bar.tsx';
import { useLoadedForm } from '../../shared/form/use-loaded-form.ts';
import { useSaving } from '../../shared/form/use-saving.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { PermissionGroup } from './permission-group.tsx';
import { permissionGroups } from './permission-groups.ts';
import classes from './role-form.module.css';
import { fixedSetReason, mayGive, readOnlyReason } from './role-lock.ts';
import { changedFields, fieldOf, isComplete, valuesOf, type RoleValues } from './role-values.ts';

type Props = {
  /** The role to edit; a new one is created when it is left out. */
  role?: Role;
  /** What roles of the panel can hold. */
  permissions: readonly PermissionRow[];
  /** Saves and gives the role as saved; a rejected CallError has its fields shown in the form. */
  save: (values: RoleValues) => Promise<Role>;
  /** Hears of the saved role after the form has let go of it, so that it may go elsewhere. */
  onSaved: (role: Role) => void;
};

const nobody = { permissions: [], isSuperAdmin: false };

/** Title and permissions of a role, and the bar that saves them (ROLE-012 to ROLE-015, ROLE-020 to ROLE-024). */
export function RoleForm({ role, permissions, save, onSaved }: Props) {
  const form = useLoadedForm(role, { valuesOf, changedFields, isComplete, fieldOf });
  const saving = useSaving(form, { onSaved });
  const caller = useSessionUser() ?? nobody;
  const readOnly = role === undefined ? null : readOnlyReason(role, caller);
  const fixedSet = fixedSetReason(role);
  const { name, permissionIds } = form.values;
  const error = form.errorOf('permissionIds');
  // One checkbox mends it, so the message stands there and not at all of them.
  const isLockout = error === roleMessages.lastOwnAccess;

  const submit = (): void => {
    if (form.canSave && readOnly === null) void saving.whileBusy(() => saving.store(() => save(form.values)));
  };
  return (
    <PageForm label={role === undefined ? 'New role' : `Role ${role.name}`} takeElement={saving.takeElement} onSubmit={submit}>
      {readOnly !== null && (
        <Alert color="warning" variant="light" icon={<IconLock size={18} aria-hidden />} title="This role is read-only for you" role="note">
          {readOnly}
        </Alert>
      )}
      <FormSection title="Role" summary={role === undefined ? 'What people see when they give this role.' : holders(role)}>
        <TextInput
          label="Title"
          name="name"
          required
          withAsterisk={false}
          labelProps={{ className: formClasses['required'] }}
          maxLength={roleNameCharacters}
          autoComplete="off"
          spellCheck={false}
          value={name}
          readOnly={readOnly !== null}
          data-locked={readOnly !== null || undefined}
          error={form.errorOf('name')}
          onChange={(event) => form.set({ name: event.currentTarget.value })}
        />
      </FormSection>
      <FormSection
        title="Permissions"
        summary={`${permissionIds.length} of ${permissions.length} chosen. At least one is needed; an account has those of all its roles.`}
      >
        {fixedSet !== null && <p className={classes['notice']}>{fixedSet}</p>}
        <Permissions error={isLockout ? undefined : error}>
          {permissionGroups(permissions).map((group) => (
            <PermissionGroup
              key={group.name}
              group={group}
              chosen={permissionIds}
              onChange={(ids) => form.set({ permissionIds: ids })}
              isLocked={readOnly !== null || fixedSet !== null}
              mayGive={(permission) => mayGive(caller, permission)}
              wrong={isLockout ? { label: 'manager_settings_roles', message: roleMessages.lastOwnAccess } : undefined}
            />
          ))}
        </Permissions>
      </FormSection>
      <SaveBar
        changed={form.changed}
        errorCount={form.errorCount}
        strays={saving.strays}
        missing={missing(form.values)}
        notice={readOnly === null ? undefined : 'You can look at this role, but not change it.'}
        save={readOnly === null ? { isEnabled: form.canSave, isBusy: saving.isBusy } : null}
        saveLabel={role === undefined ? 'Create' : 'Save'}
        onDiscard={saving.discard}
      />
    </PageForm>
  );
}

type PermissionsProps = { error: string | undefined; children: ReactNode };

/** All groups together, with what the server has against the choice. */
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

function holders({ users_count: count }: Role): string {
  if (count === 0) return 'Nobody holds this role yet.';
  return `${count === 1 ? 'One account holds' : `${count} accounts hold`} this role. A change counts from their next click.`;
}

/** What the form still lacks. */
function missing({ name, permissionIds }: RoleValues): string[] {
  return [...(name.trim() === '' ? ['Title'] : []), ...(permissionIds.length === 0 ? ['at least one permission'] : [])];
}

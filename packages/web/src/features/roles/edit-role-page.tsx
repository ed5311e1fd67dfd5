import type { Panel } from '@switchyard/contract/permissions';
import { role as roleSchema, updateRole, type Role } from '@switchyard/contract/roles';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { ConflictResolver, type Conflict } from '../../shared/form/conflict/conflict-resolver.tsx';
import { currentOf } from '../../shared/form/conflict/current-of.ts';
import { differencesOf } from '../../shared/form/conflict/differences.ts';
import { useGoBack, useIdParam, useOpenPath, useRouteTitle } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { refreshUser } from '../../shared/session/refresh-user.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { RoleForm } from './role-form.tsx';
import { forgetRoles, useRole } from './role-query.ts';
import { fieldsOf, mergeRole, toBody, valuesOf, type RoleValues } from './role-values.ts';
import { RoleSketch, WithPermissions } from './with-permissions.tsx';

type RoleConflict = Conflict<Role, RoleValues>;
const currentRole = (error: unknown): Role | null => currentOf(error, roleSchema);
const statesOf = ({ loaded, current, values }: RoleConflict) => ({ loaded: valuesOf(loaded), theirs: valuesOf(current), mine: values });

async function saveRole(known: Role, values: RoleValues): Promise<Role> {
  const { data } = await call(updateRole, {
    params: { id: known.id },
    body: toBody(values),
    ifMatch: known.version,
    showsFailureItself: (status) => status === 412,
  });
  return data;
}

/** The edit page of the role that the address names (ROLE-016 to ROLE-018). */
function EditRolePage({ panel }: { panel: Panel }) {
  const id = useIdParam();
  return id === null ? <GoneBack panel={panel} isMissing /> : <LoadedRolePage key={id} id={id} panel={panel} />;
}

function LoadedRolePage({ id, panel }: { id: number; panel: Panel }) {
  const { data, error } = useRole(id);
  if (data !== undefined) return data.data.panel === panel ? <EditRole loaded={data.data} /> : <RightAddress role={data.data} />;
  // Whoever is no longer signed in is on the way to the login page.
  if (error === null || (error instanceof CallError && error.status === 401))
    return (
      <Frame panel={panel}>
        <RoleSketch />
      </Frame>
    );
  return <GoneBack panel={panel} isMissing={error instanceof CallError && error.status === 404} />;
}

/** A role that cannot be loaded: back one page (ROLE-017, ERR-028). That it is missing no toast has said (ERR-010). */
function GoneBack({ panel, isMissing }: { panel: Panel; isMissing: boolean }) {
  const goBack = useGoBack();
  const leave = useEffectEvent(() => {
    if (isMissing) notify({ type: 'danger', message: 'There is no such role' });
    goBack(paths.roles(panel));
  });
  useEffect(() => leave(), []);
  return (
    <Frame panel={panel}>
      <RoleSketch />
    </Frame>
  );
}

/** A role of the other panel has another address. */
function RightAddress({ role: { panel, id } }: { role: Role }) {
  const openPath = useOpenPath();
  const leave = useEffectEvent(() => openPath(paths.roleEdit(panel, id), { replace: true }));
  useEffect(() => leave(), []);
  return (
    <Frame panel={panel}>
      <RoleSketch />
    </Frame>
  );
}

function Frame({ panel, name, children }: { panel: Panel; name?: string; children: ReactNode }) {
  const title = useRouteTitle();
  return (
    <Page
      title="Roles"
      titleHref={paths.roles(panel)}
      documentTitle={title}
      crumbs={[{ label: name === undefined ? title : `${title}: ${name}` }]}
    >
      {children}
    </Page>
  );
}

function EditRole({ loaded }: { loaded: Role }) {
  const [role, setRole] = useState(loaded);
  const [conflict, setConflict] = useState<RoleConflict | null>(null);
  const [saved, setSaved] = useState<Role | null>(null);
  const goBack = useGoBack();
  const { panel } = role;

  const save = async (values: RoleValues): Promise<Role> => {
    try {
      return await saveRole(role, values);
    } catch (error) {
      const current = currentRole(error);
      if (current !== null) setConflict({ loaded: role, current, values });
      throw error;
    }
  };
  const leave = useEffectEvent(({ name }: Role) => {
    notify({ type: 'success', message: `Role "${name}" saved` });
    void forgetRoles();
    // Menu and guard must follow what the own role now allows (AMB-021). The account names its roles by label, which may
    // just have changed, so it does not tell whether this is one of them.
    void refreshUser();
    goBack(paths.roles(panel));
  });
  // Only once the form has begun anew from what is saved: until then it would ask before it is left.
  useEffect(() => {
    if (saved !== null) leave(saved);
  }, [saved]);
  return (
    <Frame panel={panel} name={role.name}>
      <WithPermissions panel={panel}>
        {(permissions) => (
          <>
            <RoleForm key={role.version} role={role} permissions={permissions} save={save} onSaved={setSaved} />
            <ConflictResolver
              noun="role"
              conflict={conflict}
              differences={(shown) => differencesOf(statesOf(shown), fieldsOf(permissions))}
              save={(shown) => saveRole(shown.current, mergeRole(statesOf(shown)))}
              currentOf={currentRole}
              onClose={() => setConflict(null)}
              onConflict={setConflict}
              onFailed={() => undefined}
              onLoad={(current) => {
                setConflict(null);
                setRole(current);
              }}
              onSaved={(next) => {
                setConflict(null);
                setRole(next);
                setSaved(next);
              }}
            />
          </>
        )}
      </WithPermissions>
    </Frame>
  );
}

/** Edits a role of staff (ROLE-004). */
export function EditUserRolePage() {
  return <EditRolePage panel="user" />;
}

/** Edits a role of buyers (ROLE-005). */
export function EditBuyerRolePage() {
  return <EditRolePage panel="buyer" />;
}

import { Skeleton, Title } from '@mantine/core';
import { listRoles, type PermissionRow, type Role } from '@switchyard/contract/roles';
import { comparableText } from '@switchyard/contract/text-fields';
import { listHolders, type HolderRow } from '@switchyard/contract/who-can';
import { IconEqual } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { permissionGroups } from '../../../shared/accounts/permission-groups.ts';
import { call, inBackground } from '../../../shared/api/call.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { AppLink, useParameter, useRouteTitle } from '../../../shared/navigation.tsx';
import { Page } from '../../../shared/page/page.tsx';
import { paths } from '../../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import type { OptionSource } from '../../../shared/ui/option-source.ts';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';
import { RetryNote } from '../../../shared/ui/retry.tsx';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import classes from './compare-page.module.css';
import { comparedSides, comparePermissions, type ComparedSide } from './comparison.ts';

/** Compares the permissions of two roles, or of a role and an account; the address names them. */
export function ComparePage() {
  const title = useRouteTitle();
  return (
    <Page title="Roles" titleHref={paths.roles()} documentTitle={title} crumbs={[{ label: title }]}>
      <Comparison />
    </Page>
  );
}

/** How the address names an account; the number is its id. */
const accountKey = /^account-(\d{1,9})$/;
/** What a select shows of a side. Permissions are none of it: they would be those of the moment at which it was loaded. */
type SideOption = Pick<ComparedSide, 'key' | 'kind' | 'panel' | 'name'>;

const roleOption = ({ id, panel, name }: Role): SideOption => ({ key: `role-${id}`, kind: 'role', panel, name });
const accountOption = ({ key, name, account: { panel } }: HolderRow): SideOption => ({ key, kind: 'account', panel, name });

/** Roles, which are loaded as a whole, and accounts, which the server finds. */
function sideSource(roles: readonly Role[]): OptionSource<SideOption> {
  const roleOptions = roles.map(roleOption);
  return {
    key: [...listKey('who-can'), 'sides', roleOptions.map(({ key, name }) => `${key} ${name}`).join('\n')],
    load: async ({ search = '', ids }, signal) => {
      const accountId = ids === undefined ? undefined : accountIdsOf(ids);
      const needle = comparableText(search);
      const foundRoles = roleOptions.filter((side) =>
        ids === undefined ? comparableText(`${side.name} ${kindOf(side)}`).includes(needle) : ids.includes(side.key),
      );
      if (accountId?.length === 0) return { rows: foundRoles, total: foundRoles.length };
      const query = { kind: 'account' as const, search, accountId, limit: foundAccounts };
      const { data, pagination } = await call(listHolders, { query, signal, ...inBackground });
      return { rows: [...foundRoles, ...data.rows.map(accountOption)], total: foundRoles.length + (pagination.total ?? 0) };
    },
    optionOf: (side) => ({ value: side.key, name: `${side.name} · ${kindOf(side)}` }),
  };
}

function accountIdsOf(keys: readonly string[]): number[] {
  return keys.flatMap((key) => accountKey.exec(key)?.[1] ?? []).map(Number);
}

/** The accounts that a search shows beside the roles that it finds. */
const foundAccounts = 50;

function Comparison() {
  const roles = useQuery({ queryKey: listKey('roles'), queryFn: ({ signal }) => call(listRoles, { signal }) });
  if (roles.data !== undefined) return <Choice roles={roles.data.data} />;
  return roles.error === null ? (
    <Skeleton component="output" display="block" height={280} radius="lg" aria-label="Loading roles and accounts" />
  ) : (
    <LoadFailure title="Roles and accounts could not be loaded" isRunning={roles.isFetching} onRetry={() => void roles.refetch()}>
      {roles.error.message}
    </LoadFailure>
  );
}

function Choice({ roles }: { roles: readonly Role[] }) {
  const [oneKey, setOne] = useParameter('one');
  const [otherKey, setOther] = useParameter('other');
  const seesAll = useSessionUser()?.hasAllApps ?? true;
  const source = useMemo(() => sideSource(roles), [roles]);
  const keys = [oneKey, otherKey].flatMap((key) => key ?? []);
  const accountId = accountIdsOf(keys);
  const accounts = useQuery({
    queryKey: [...listKey('who-can'), 'compared', ...accountId],
    queryFn: ({ signal }) => call(listHolders, { query: { kind: 'account', accountId }, signal, ...inBackground }),
    enabled: accountId.length > 0,
  });
  const sides = comparedSides(roles, accounts.data?.data.rows ?? []);
  const find = (key: string | null) => sides.find((side) => side.key === key);
  const [one, other] = [find(oneKey), find(otherKey)];
  const isUnknown = !accounts.isLoading && !accounts.isError && keys.some((key) => find(key) === undefined);
  const field = { options: source, width: 280, placeholder: 'Role or account', isClearable: true };
  return (
    <>
      <div className={classes['fields']}>
        <Dropdown {...field} label="Compare" value={one?.key} onChange={(key) => setOne(key ?? null)} />
        <Dropdown {...field} label="With" value={other?.key} onChange={(key) => setOther(key ?? null)} />
      </div>
      {isUnknown && <p className="note">The address names a role or an account that does not exist or that you do not see.</p>}
      {!seesAll && <p className="note">You can choose the accounts that share an app with you.</p>}
      {accounts.isError && <RetryNote onRetry={() => void accounts.refetch()}>The accounts could not be loaded.</RetryNote>}
      {one === undefined || other === undefined ? (
        <StatePanel icon={IconEqual} title="Compare permissions">
          Choose two roles, or a role and an account, to see what only one of them may do and what both may do.
        </StatePanel>
      ) : (
        <Result one={one} other={other} />
      )}
    </>
  );
}

function kindOf({ kind, panel }: SideOption): string {
  const kinds = { role: { user: 'role', buyer: 'buyer role' }, account: { user: 'account', buyer: 'buyer' } };
  return kinds[kind][panel];
}

function Result({ one, other }: { one: ComparedSide; other: ComparedSide }) {
  const { onlyOne, both, onlyOther } = comparePermissions(one, other);
  return (
    <>
      <p className="note" aria-live="polite">
        <SideLink side={one} /> has {countOf(one.permissions.size)}, <SideLink side={other} /> has {countOf(other.permissions.size)}.
        {onlyOne.length + onlyOther.length === 0 && ' They are the same.'}
      </p>
      <div className={classes['columns']}>
        <Part title={`Only ${one.name}`} permissions={onlyOne} sides={[one]} />
        <Part title="Both" permissions={both} sides={[one, other]} />
        <Part title={`Only ${other.name}`} permissions={onlyOther} sides={[other]} />
      </div>
    </>
  );
}

function countOf(count: number): string {
  return count === 1 ? 'one permission' : `${count === 0 ? 'no' : count} permissions`;
}

/** The name of a side, which leads to its page if the reader may open it. */
function SideLink({ side: { kind, panel, id, name } }: { side: ComparedSide }) {
  const opensAccounts = useHoldsAny('manager_user_edit');
  if (kind === 'account' && !opensAccounts) return <VisibleText text={name} />;
  const accountPath = panel === 'user' ? paths.userEdit(id) : paths.buyerEdit(id);
  return (
    <AppLink href={kind === 'role' ? paths.roleEdit(panel, id) : accountPath}>
      <VisibleText text={name} />
    </AppLink>
  );
}

type PartProps = { title: string; permissions: readonly PermissionRow[]; sides: readonly ComparedSide[] };

/** Permissions by category, of an account with the roles that give them. */
function Part({ title, permissions, sides }: PartProps) {
  return (
    <section className={classes['part']} aria-label={title}>
      <div className={classes['head']}>
        <Title order={2} className={classes['title'] ?? ''}>
          <VisibleText text={title} />
        </Title>
        <span className={classes['count']}>{permissions.length}</span>
      </div>
      {permissions.length === 0 && <p className={classes['nothing']}>Nothing</p>}
      {permissionGroups(permissions).map((group) => (
        <div key={group.name} className={classes['group']}>
          <h3>{group.name}</h3>
          <ul>
            {group.permissions.map(({ id, label, description }) => (
              <li key={id}>
                {description}
                <code>{label}</code>
                {sides.map((side) => (
                  <Givers key={side.key} side={side} permission={id} />
                ))}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Givers({ side: { kind, name, permissions }, permission }: { side: ComparedSide; permission: number }) {
  if (kind === 'role') return null;
  return (
    <small>
      <VisibleText text={`${name}: from ${permissions.get(permission)?.join(', ') ?? ''}`} />
    </small>
  );
}

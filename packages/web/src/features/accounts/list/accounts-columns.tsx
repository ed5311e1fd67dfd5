import type { RoleChoice } from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';
import type { PagedAccount } from '@switchyard/contract/users';
import { AccessMark } from '../../../shared/accounts/access-mark.tsx';
import { RoleBadge } from '../../../shared/accounts/role-badge.tsx';
import type { BadgeRole } from '../../../shared/accounts/role-badges.ts';
import type { ListColumn } from '../../../shared/listing/list-column.ts';
import { AppLink } from '../../../shared/navigation.tsx';
import type { AccountPanel } from '../account-panels.ts';
import { accountLock } from '../form/account-rights.ts';
import { AccountActions } from './account-actions.tsx';
import classes from './account-cells.module.css';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';

/** The reader of the list, the reader's rights and the roles that the reader may give. */
export type AccountRights = {
  edit: boolean;
  deactivate: boolean;
  reader: SessionUser | null;
  roles: readonly RoleChoice[];
  /** The roles of the panel by label, as badges show them; without those that the reader cannot learn. */
  badges: ReadonlyMap<string, BadgeRole>;
};

/** The columns of a list of accounts. */
export function accountsColumns(panel: AccountPanel, rights: AccountRights): ListColumn<PagedAccount>[] {
  const columns: ListColumn<PagedAccount>[] = [
    {
      id: 'name',
      cellName: 'Name',
      cellNameOrderAble: 'keyName',
      width: 142,
      minWidth: 116,
      grows: true,
      pin: 'start',
      isMain: true,
      isFixed: true,
      cell: (account) => <AccountName account={account} href={rights.edit ? panel.editPath(account.id) : null} />,
    },
    {
      id: 'email',
      cellName: 'Email',
      cellNameOrderAble: 'keyEmail',
      width: 214,
      minWidth: 140,
      grows: true,
      isMain: true,
      cell: ({ email }) => <VisibleText text={email} />,
    },
    {
      id: 'roles',
      cellName: 'Roles',
      width: 154,
      minWidth: 110,
      grows: true,
      cell: (account) => <Roles account={account} knownBadges={rights.badges} />,
    },
    {
      id: 'status',
      cellName: 'Status',
      cellNameOrderAble: 'keyStatus',
      width: 84,
      align: 'center',
      isMain: true,
      cell: ({ hasAccess }) => <AccessMark hasAccess={hasAccess} text={hasAccess ? 'Access granted' : 'Access denied'} />,
    },
  ];
  const { reader, roles } = rights;
  // The columns of buyers are specified.
  if (rights.edit && panel.panel === 'user') {
    columns.push({
      id: 'secondFactor',
      cellName: 'Second factor',
      width: 128,
      cell: ({ second_factor: state }) => <FactorStatus state={state} />,
    });
  }
  if (rights.deactivate) {
    columns.push({
      id: 'edit',
      cellName: 'Edit',
      width: 124,
      pin: 'end',
      isFixed: true,
      cell: (account) => (
        <AccountActions
          panel={panel}
          account={account}
          mayEdit={rights.edit}
          isOwn={account.id === reader?.id}
          lock={reader === null ? null : accountLock(account, { reader, roles, isReadOnly: account.is_read_only })}
        />
      ),
    });
  }
  return columns;
}

function AccountName({ account: { name }, href }: { account: PagedAccount; href: string | null }) {
  if (href === null)
    return (
      <span className={classes['name']}>
        <VisibleText text={name} />
      </span>
    );
  return (
    <AppLink href={href} className={`${classes['name'] ?? ''} name-link`}>
      <VisibleText text={name} />
    </AppLink>
  );
}

/** The badges of an account's roles, and the label where it is the only one. */
function Roles({ account: { panel, roles, badges }, knownBadges }: { account: PagedAccount; knownBadges: AccountRights['badges'] }) {
  return (
    <span className={classes['roles']}>
      {roles.map((label, at) => (
        <RoleBadge key={label} panel={panel} badge={badges[at] ?? ''} roleName={label} role={knownBadges.get(label)} />
      ))}
      {roles.length === 1 && (
        <span className={classes['roleName']}>
          <VisibleText text={roles[0] ?? ''} />
        </span>
      )}
    </span>
  );
}

/** Whether an account has a second factor; empty for demo accounts, and for those whose factors the reader may not see. */
function FactorStatus({ state }: { state: PagedAccount['second_factor'] }) {
  if (state === null) return null;
  if (state.has_factor) return 'Set up';
  return (
    <span className={classes['noFactor']} data-required={state.required || undefined}>
      {state.required ? 'None, required' : 'None'}
    </span>
  );
}

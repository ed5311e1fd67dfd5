import { Badge } from '@mantine/core';
import type { AccessObstacle } from '@switchyard/contract/roles';
import type { HolderRow } from '@switchyard/contract/who-can';
import { IconEqual } from '@tabler/icons-react';
import { ViewAsAction } from '../../../shared/accounts/view-as-button.tsx';
import { actionColumn, type ListColumn } from '../../../shared/listing/list-column.ts';
import { RowAction } from '../../../shared/listing/row-action.tsx';
import { AppLink } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { MarkedText } from '../../../shared/ui/marked-text.tsx';
import { VisibleText } from '../../../shared/ui/visible-text.tsx';
import classes from './who-can.module.css';

type Input = {
  /** Whether the reader may open the pages of accounts. */
  opensAccounts: boolean;
};

/** Columns of accounts and tokens that can. */
export function whoCanColumns({ opensAccounts }: Input): ListColumn<HolderRow>[] {
  return [
    {
      id: 'name',
      cellName: 'Account or token',
      cellNameOrderAble: 'keyName',
      width: 220,
      minWidth: 140,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (row) => <Name row={row} opensAccounts={opensAccounts} />,
    },
    {
      id: 'owner',
      cellName: 'Owner',
      cellNameOrderAble: 'keyOwner',
      width: 160,
      minWidth: 110,
      grows: true,
      isNamedOnCards: true,
      cell: ({ kind, account }) => (kind === 'account' ? '' : <AccountName account={account} opensAccounts={opensAccounts} />),
    },
    {
      id: 'roles',
      cellName: 'Roles',
      width: 220,
      minWidth: 120,
      grows: true,
      isMain: true,
      isNamedOnCards: true,
      cell: ({ roles }) => <Roles roles={roles} />,
    },
    { id: 'apps', cellName: 'Apps', width: 104, cell: ({ has_all_apps: hasAllApps }) => (hasAllApps ? 'All apps' : 'Some apps') },
    { id: 'now', cellName: 'Now', width: 176, isMain: true, cell: ({ obstacle }) => <Now obstacle={obstacle} /> },
    {
      id: 'actions',
      cellName: '',
      title: 'Compare and view',
      width: 88,
      ...actionColumn,
      cell: ({ kind, name, account, roles: [role] }) =>
        kind === 'account' && (
          <>
            {role !== undefined && (
              <RowAction
                icon={IconEqual}
                label={`Compare ${withMarks(name)} with ${withMarks(role.label)}`}
                href={paths.comparePermissions({ one: `role-${role.id}`, other: `account-${account.id}` })}
              />
            )}
            <ViewAsAction subject={{ kind, id: account.id, name }} />
          </>
        ),
    },
  ];
}

function Name({ row: { kind, name, account }, opensAccounts }: { row: HolderRow } & Input) {
  if (kind === 'account') return <AccountName account={account} opensAccounts={opensAccounts} />;
  return (
    <MarkedText text={name}>
      <Badge color="neutral">{kind === 'service' ? 'Service' : 'Token'}</Badge>
    </MarkedText>
  );
}

function AccountName({ account: { id, name, panel }, opensAccounts }: Pick<HolderRow, 'account'> & Input) {
  if (!opensAccounts) return <MarkedText text={name} />;
  return (
    <AppLink href={panel === 'user' ? paths.userEdit(id) : paths.buyerEdit(id)} className={classes['link'] ?? ''} title={name}>
      <VisibleText text={name} />
    </AppLink>
  );
}

function Roles({ roles }: Pick<HolderRow, 'roles'>) {
  return (
    <span className={classes['roles']} title={roles.map(({ label }) => label).join('\n')}>
      {roles.map(({ id, label, panel }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <AppLink href={paths.roleEdit(panel, id)} className={classes['role'] ?? ''}>
            <VisibleText text={label} />
          </AppLink>
        </span>
      ))}
    </span>
  );
}

const obstacleTexts: Record<AccessObstacle, string> = {
  no_access: 'Access is off',
  second_factor: 'Second factor due',
  expired: 'Expired',
};

function Now({ obstacle }: Pick<HolderRow, 'obstacle'>) {
  return obstacle === null ? 'Can' : <Badge color="warning">{obstacleTexts[obstacle]}</Badge>;
}

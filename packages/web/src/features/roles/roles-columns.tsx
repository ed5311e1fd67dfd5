import type { Role } from '@switchyard/contract/roles';
import { IconPencil } from '@tabler/icons-react';
import { RoleBadge } from '../../shared/accounts/role-badge.tsx';
import { ViewAsAction } from '../../shared/accounts/view-as-button.tsx';
import type { BadgeRole } from '../../shared/accounts/role-badges.ts';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { paths } from '../../shared/paths.ts';
import { groupSummary } from '../../shared/accounts/permission-groups.ts';
import { LockMark } from '../../shared/ui/lock-mark.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { MarkedText } from '../../shared/ui/marked-text.tsx';
import { withMarks } from '../../shared/ui/hidden-characters.ts';

type Input = {
  displayDate: (text: string) => string;
  /** Why the account may not change a role; null when it may. */
  lockOf: (role: Role) => string | null;
  /** The roles by label, as badges show them. */
  badges: ReadonlyMap<string, BadgeRole>;
};

/** Columns of the list of roles. */
export function rolesColumns({ displayDate, lockOf, badges }: Input): ListColumn<Role>[] {
  return [
    {
      id: 'name',
      cellName: 'Role',
      width: 180,
      minWidth: 140,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: (role) => <RoleName role={role} lock={lockOf(role)} badgeRole={badges.get(role.label)} />,
    },
    {
      id: 'permissions',
      cellName: 'Permissions',
      width: 212,
      minWidth: 140,
      grows: true,
      cell: ({ permissions }) => <span title={permissions.map(({ label }) => label).join('\n')}>{groupSummary(permissions)}</span>,
    },
    {
      id: 'holders',
      cellName: 'Accounts',
      tooltip: 'How many accounts hold the role',
      width: 104,
      align: 'end',
      isMain: true,
      cell: ({ users_count: count }) => groupedNumber(count),
    },
    { id: 'changed', cellName: 'Changed', width: 164, cell: (role) => <span className="tabular">{displayDate(role.updated_at)}</span> },
    {
      id: 'edit',
      cellName: '',
      title: 'Edit',
      width: 88,
      ...actionColumn,
      cell: ({ panel, id, name, label }) => (
        <>
          <ViewAsAction subject={{ kind: 'role', id, name: label }} />
          <RowAction icon={IconPencil} label={`Edit ${withMarks(name)}`} href={paths.roleEdit(panel, id)} />
        </>
      ),
    },
  ];
}

type RoleNameProps = { role: Role; lock: string | null; badgeRole: BadgeRole | undefined };

function RoleName({ role: { panel, badge, label, name }, lock, badgeRole }: RoleNameProps) {
  return (
    <MarkedText text={name} before={<RoleBadge panel={panel} badge={badge} roleName={label} role={badgeRole} />}>
      {lock !== null && <LockMark reason={lock} />}
    </MarkedText>
  );
}

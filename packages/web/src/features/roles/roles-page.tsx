import { Button, Group } from '@mantine/core';
import type { Panel } from '@switchyard/contract/permissions';
import type { Role } from '@switchyard/contract/roles';
import { IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { badgeRoles } from '../../shared/accounts/role-badges.ts';
import { List } from '../../shared/listing/list.tsx';
import { useWholeList } from '../../shared/listing/use-whole-list.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { RouteTabs } from '../../shared/page/route-tabs.tsx';
import { paths, rolesTabs } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { readOnlyReason, useRoles } from './role-model.ts';
import { SignInRulesButton } from './sign-in-rules.tsx';
import { rolesColumns } from './roles-columns.tsx';
import classes from './roles-page.module.css';

const rowId = (role: Role): number => role.id;

const leads: Record<Panel, string> = {
  user: 'What people who work in this console may see and do.',
  buyer: 'What buyers may see and do in the buyer panel.',
};

/** Roles of staff and of buyers, each in a tab. */
export function RolesPage() {
  return (
    <Page>
      <RouteTabs names={[rolesTabs.user, rolesTabs.buyer]} label="Roles">
        {(name) => <RolesOfPanel key={name} panel={name === rolesTabs.buyer ? 'buyer' : 'user'} />}
      </RouteTabs>
    </Page>
  );
}

function RolesOfPanel({ panel }: { panel: Panel }) {
  const result = useRoles();
  const all = result.data?.data;
  const rows = useMemo(() => all?.filter((role) => role.panel === panel), [all, panel]);
  const list = useWholeList({ name: `roles-${panel}`, result, rows, rowId });
  const caller = useSessionUser();
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const columns = useMemo(
    () =>
      rolesColumns({
        displayDate,
        lockOf: (role) => (caller === null ? null : readOnlyReason(role, caller)),
        badges: badgeRoles(rows ?? []),
      }),
    [displayDate, caller, rows],
  );
  const create = (
    <Button component={AppLink} href={paths.roleCreate(panel)} leftSection={<IconPlus size={16} aria-hidden />}>
      {panel === 'user' ? 'Create user role' : 'Create buyer role'}
    </Button>
  );
  return (
    <>
      <div className={classes['head']}>
        <p className="note">{leads[panel]}</p>
        <Group gap="xs">
          <Button component={AppLink} href={paths.whoCan()} variant="default">
            Who can …?
          </Button>
          <Button component={AppLink} href={paths.comparePermissions()} variant="default">
            Compare
          </Button>
          <SignInRulesButton />
          {create}
        </Group>
      </div>
      <List
        list={list}
        noun={panel === 'user' ? 'user roles' : 'buyer roles'}
        columns={columns}
        filters={{}}
        pages="none"
        onOpen={(role) => openPath(paths.roleEdit(role.panel, role.id))}
        empty={{ title: 'No roles yet', text: 'A role defines what the accounts that hold it may do.', action: create }}
      />
    </>
  );
}

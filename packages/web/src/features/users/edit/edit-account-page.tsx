import { Skeleton } from '@mantine/core';
import type { Account } from '@switchyard/contract/accounts';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { CallError, isForbidden } from '../../../shared/api/call-error.ts';
import { useGoBack, useIdParam, useRouteTitle } from '../../../shared/navigation.tsx';
import { Page } from '../../../shared/page/page.tsx';
import { RouteTabs } from '../../../shared/page/route-tabs.tsx';
import { paths } from '../../../shared/paths.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { useAccount, useReadOnlyIds } from '../account-cache.ts';
import { buyers, staff, type AccountPanel } from '../account-panels.ts';
import { BuyerAppsTab } from './buyer-apps-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StaffAppsTab } from './staff-apps-tab.tsx';
import { StreamsTab } from './streams-tab.tsx';

/** The edit page of the staff account that the address names (USER-040 to USER-057). */
export function EditUserPage() {
  return <EditAccountPage panel={staff} />;
}

/** The edit page of the buyer that the address names (BUY-011 to BUY-032). */
export function EditBuyerPage() {
  return <EditAccountPage panel={buyers} />;
}

function EditAccountPage({ panel }: { panel: AccountPanel }) {
  const id = useIdParam();
  // A form belongs to one account: another one begins anew.
  return id === null ? <Unavailable panel={panel} /> : <LoadedPage key={id} panel={panel} id={id} />;
}

function LoadedPage({ panel, id }: { panel: AccountPanel; id: number }) {
  const { data, error } = useAccount(panel, id);
  // A form that locks after it was shown would lose what was typed.
  const { ids: readOnlyIds, isLoading } = useReadOnlyIds(panel);
  if (error !== null && (data === undefined || isGone(error))) return <Unavailable panel={panel} error={error} />;
  return data === undefined || isLoading ? (
    <Loading panel={panel} />
  ) : (
    <AccountTabs panel={panel} account={data} readOnlyIds={readOnlyIds} />
  );
}

function isGone(error: Error): boolean {
  return error instanceof CallError && error.status === 404;
}

/** Goes back one step, because there is nothing to edit; once the session has ended the login page opens instead (USER-042, BUY-013). */
function Unavailable({ panel, error }: { panel: AccountPanel; /** Left out when the address names no account. */ error?: Error }) {
  const goBack = useGoBack();
  const leave = useEffectEvent(() => {
    // Of other failures the error policy has told already.
    if (error === undefined || isGone(error)) notify({ type: 'danger', message: `There is no such ${panel.noun}` });
    else if (isForbidden(error)) notify({ type: 'danger', message: `You do not have access to this ${panel.noun}` });
    goBack(paths.users(panel.tab));
  });
  useEffect(() => leave(), []);
  return <Loading panel={panel} />;
}

function Frame({ panel, name, children }: { panel: AccountPanel; name?: string; children: ReactNode }) {
  const title = useRouteTitle();
  const crumb = name === undefined ? title : `${title}: ${name}`;
  return (
    <Page title="Users" titleHref={paths.users(panel.tab)} documentTitle={title} crumbs={[{ label: crumb }]}>
      {children}
    </Page>
  );
}

function Loading({ panel }: { panel: AccountPanel }) {
  return (
    <Frame panel={panel}>
      <output aria-label="Loading">
        <Skeleton height={36} width={260} mb="md" />
        <Skeleton height={200} radius="lg" mb="md" />
        <Skeleton height={140} radius="lg" />
      </output>
    </Frame>
  );
}

type TabsProps = { panel: AccountPanel; account: Account; readOnlyIds: ReadonlySet<number> };

function AccountTabs({ panel, account, readOnlyIds }: TabsProps) {
  return (
    <Frame panel={panel} name={account.name}>
      <RouteTabs names={panel.editTabs} label={panel.noun === 'user' ? 'User' : 'Buyer'}>
        {(name) => {
          if (name === 'Streams') return <StreamsTab account={account} />;
          if (name !== 'Apps') return <SettingsTab panel={panel} account={account} readOnlyIds={readOnlyIds} />;
          return panel.panel === 'user' ? <StaffAppsTab account={account} /> : <BuyerAppsTab account={account} />;
        }}
      </RouteTabs>
    </Frame>
  );
}

import type { Account } from '@switchyard/contract/accounts';
import { ViewAsButton } from '../../../shared/accounts/view-as-button.tsx';
import { HistoryLink, LoadedEntity } from '../../../shared/form/entity-page.tsx';
import { RouteTabs } from '../../../shared/page/route-tabs.tsx';
import { paths } from '../../../shared/paths.ts';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { accountQuery, keepAccount, useReadOnlyIds } from '../account-cache.ts';
import { buyers, staff, type AccountPanel } from '../account-panels.ts';
import { AccountForm } from '../form/account-form.tsx';
import { accountLock } from '../form/account-rights.ts';
import { useRoles } from '../form/role-choices.tsx';
import { FactorsSection, PermissionsSection, SessionsSection } from './account-sections.tsx';
import { BuyerAppsTab } from './buyer-apps-tab.tsx';
import { InvitationSection } from './invitation-section.tsx';
import { StaffAppsTab } from './staff-apps-tab.tsx';
import { StreamsTab } from './streams-tab.tsx';
import { TokensSection } from './tokens-section.tsx';

/** Edits the staff account that the address names. */
export function EditUserPage() {
  return <EditAccountPage panel={staff} />;
}

/** Edits the buyer that the address names. */
export function EditBuyerPage() {
  return <EditAccountPage panel={buyers} />;
}

function EditAccountPage({ panel }: { panel: AccountPanel }) {
  const { ids: readOnlyIds, isLoading } = useReadOnlyIds(panel);
  return (
    <LoadedEntity
      noun={panel.noun}
      listTitle="Users"
      listPath={paths.users(panel.tab)}
      renderActions={({ id, name }: Account) => (
        <>
          <ViewAsButton subject={{ kind: 'account', id, name }} />
          <HistoryLink href={panel.panel === 'user' ? paths.userHistory(id) : paths.buyerHistory(id)} />
        </>
      )}
      query={(id) => accountQuery(panel, id)}
      // A form that locks after it was shown would lose what was typed.
      isWaiting={isLoading}
    >
      {(account) => <AccountTabs panel={panel} account={account} readOnlyIds={readOnlyIds} />}
    </LoadedEntity>
  );
}

type Props = {
  panel: AccountPanel;
  /** The newest stored version. */
  account: Account;
  /** Accounts that the reader may not change. */
  readOnlyIds: ReadonlySet<number>;
};

function AccountTabs({ panel, account, readOnlyIds }: Props) {
  return (
    <RouteTabs names={panel.editTabs} label={panel.noun === 'user' ? 'User' : 'Buyer'}>
      {(name) => {
        if (name === 'Streams') return <StreamsTab account={account} />;
        if (name !== 'Apps') return <SettingsTab panel={panel} account={account} readOnlyIds={readOnlyIds} />;
        return panel.panel === 'user' ? <StaffAppsTab account={account} /> : <BuyerAppsTab account={account} />;
      }}
    </RouteTabs>
  );
}

/** The settings of an account, its permissions and its sessions. */
function SettingsTab({ panel, account, readOnlyIds }: Props) {
  const reader = useSessionUser();
  const roles = useRoles(panel);
  const lock = reader === null ? null : accountLock(account, { reader, roles: roles.list, isReadOnly: readOnlyIds.has(account.id) });
  const showSaved = (next: Account): void => {
    void keepAccount(panel, next);
    notify({
      type: 'success',
      message: `${panel.noun === 'user' ? 'User' : 'Buyer'} "${next.name}" saved`,
      key: `save ${panel.noun} ${next.id}`,
    });
  };
  return (
    <AccountForm panel={panel} roles={roles} account={account} lock={lock} onSaved={showSaved}>
      <InvitationSection panel={panel} account={account} isLocked={lock !== null} />
      <PermissionsSection panel={panel} account={account} />
      <SessionsSection panel={panel} account={account} isLocked={lock !== null} />
      <FactorsSection panel={panel} account={account} isLocked={lock !== null} />
      <TokensSection panel={panel} account={account} isLocked={lock !== null} />
    </AccountForm>
  );
}

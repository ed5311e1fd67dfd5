import type { Account } from '@switchyard/contract/accounts';
import { useState } from 'react';
import { ConflictResolver } from '../../../shared/form/conflict/conflict-resolver.tsx';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { keepAccount, reloadAccount } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import { AccountForm, type AccountSave } from '../form/account-form.tsx';
import { saveBody, valuesOf, type AccountFormValues } from '../form/account-form-values.ts';
import { refusalOf } from '../form/refusals.ts';
import { useRoles } from '../form/use-roles.ts';
import { accountDifferences, currentAccount, type AccountConflict } from './account-conflict.ts';
import { PermissionsSection } from './permissions-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

type Props = {
  panel: AccountPanel;
  /** The account as the server has it now. */
  account: Account;
  /** Accounts that the reader may not change (O37). */
  readOnlyIds: ReadonlySet<number>;
};

/** The settings of an account, what it may do and where it is signed in (USER-043 to USER-050, BUY-014, BUY-015). */
export function SettingsTab({ panel, account, readOnlyIds }: Props) {
  const reader = useSessionUser();
  const roles = useRoles(panel);
  const refusal = reader === null ? null : refusalOf(account, { reader, roles: roles.list, readOnlyIds });
  const [conflict, setConflict] = useState<AccountConflict | null>(null);
  // A form that begins anew: what it held is thrown away.
  const [formNumber, setFormNumber] = useState(1);

  const write = (loaded: Account, version: number, values: AccountFormValues): Promise<Account> =>
    panel.save(account.id, version, saveBody(valuesOf(loaded), values));
  const save = async ({ values, loaded = account }: AccountSave): Promise<Account> => {
    try {
      return await write(loaded, loaded.version, values);
    } catch (error) {
      const current = currentAccount(error);
      if (current === null) void reloadAccount(panel, account.id);
      else setConflict({ loaded, current, values });
      throw error;
    }
  };
  const takeOver = (saved: Account): void => {
    void keepAccount(panel, saved);
    notify({
      type: 'success',
      message: `${panel.noun === 'user' ? 'User' : 'Buyer'} "${saved.name}" saved`,
      key: `save ${panel.noun} ${saved.id}`,
    });
  };
  const begin = (next: Account): void => {
    setConflict(null);
    setFormNumber(formNumber + 1);
    void keepAccount(panel, next);
  };
  return (
    <>
      <AccountForm key={formNumber} panel={panel} roles={roles} account={account} refusal={refusal} save={save} onSaved={takeOver}>
        <PermissionsSection panel={panel} account={account} />
        <SessionsSection panel={panel} account={account} isLocked={refusal !== null} />
      </AccountForm>
      <ConflictResolver
        noun={panel.noun}
        conflict={conflict}
        differences={accountDifferences}
        save={({ loaded, current, values }) => write(loaded, current.version, values)}
        currentOf={currentAccount}
        onClose={() => setConflict(null)}
        onConflict={setConflict}
        onLoad={begin}
        onSaved={(saved) => {
          begin(saved);
          takeOver(saved);
        }}
        onFailed={() => void reloadAccount(panel, account.id)}
      />
    </>
  );
}

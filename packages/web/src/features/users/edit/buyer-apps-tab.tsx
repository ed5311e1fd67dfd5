import type { Account } from '@switchyard/contract/accounts';
import { accountConfirms, accountLabels, emptyAccountTabs } from '@switchyard/contract/account-texts';
import { IconAppsOff } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { CallError } from '../../../shared/api/call-error.ts';
import { SaveBar } from '../../../shared/form/save-bar.tsx';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { useUnsavedWork } from '../../../shared/use-unsaved-work.ts';
import { keepAccount, reloadAccount } from '../account-cache.ts';
import { buyers } from '../account-panels.ts';
import { currentAccount } from './account-conflict.ts';
import { AppsTable } from './apps-table.tsx';
import classes from './apps-table.module.css';
import { appLines, changesInWords, toggled } from './mark-apps.ts';

/**
 * Takes apps from a buyer by saving the set that remains (AMB-171). Whoever changed him meanwhile keeps what they did:
 * taking away is decided on the newest set.
 */
async function denyApps(account: Account, removed: ReadonlySet<number>): Promise<Account> {
  const remaining = account.appIds.filter((id) => !removed.has(id));
  try {
    return await buyers.save(account.id, account.version, { app_ids: remaining });
  } catch (error) {
    const current = currentAccount(error);
    if (current === null) throw error;
    return denyApps(current, removed);
  }
}

/** The apps of a buyer: rows are marked, restored, and removed together (BUY-016 to BUY-022). */
export function BuyerAppsTab({ account }: { account: Account }) {
  const [removed, setRemoved] = useState<ReadonlySet<number>>(new Set());
  const [refused, setRefused] = useState<readonly string[]>([]);
  const lines = appLines(account.apps, new Set(account.appIds.filter((id) => !removed.has(id))), []);
  const changed = changesInWords(lines);
  const letGo = useUnsavedWork(changed.length > 0);

  async function save(): Promise<void> {
    try {
      const saved = await denyApps(account, removed);
      letGo();
      setRemoved(new Set());
      setRefused([]);
      await keepAccount(buyers, saved);
      notify({ type: 'success', message: `Apps of "${saved.name}" saved`, key: `apps of buyer ${saved.id}` });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRefused([error.message]);
      void reloadAccount(buyers, account.id);
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    askConfirm({ title: accountConfirms.denyApps.title, lines: [accountConfirms.denyApps.text], isDangerous: true, action: save });
  };
  return (
    <form onSubmit={submit} aria-label={`Apps of ${account.name}`}>
      <div className={classes['frame']}>
        {lines.length === 0 ? (
          <StatePanel icon={IconAppsOff} title={emptyAccountTabs.apps(account.name)}>
            Apps are given to a buyer on the page of the app.
          </StatePanel>
        ) : (
          <AppsTable lines={lines} isLocked={false} onToggle={(id) => setRemoved(toggled(removed, id))} />
        )}
      </div>
      <SaveBar
        changed={changed}
        errorCount={0}
        strays={refused}
        save={{ isEnabled: changed.length > 0 }}
        saveLabel={accountLabels.saveChanges}
        onDiscard={() => {
          setRemoved(new Set());
          setRefused([]);
        }}
      />
    </form>
  );
}

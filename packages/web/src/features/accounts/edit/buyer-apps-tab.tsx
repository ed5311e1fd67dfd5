import { account as accountSchema, type Account } from '@switchyard/contract/accounts';
import { accountConfirms, accountLabels, emptyAccountTabs } from '@switchyard/contract/account-texts';
import { IconAppsOff } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { CallError, isUnconfirmed } from '../../../shared/api/call-error.ts';
import { currentVersion } from '../../../shared/form/conflict.ts';
import { unshownReason } from '../../../shared/form/rejected-fields.ts';
import { SaveBar } from '../../../shared/form/save-bar.tsx';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { useUnsavedWork } from '../../../shared/unsaved-work.ts';
import { keepAccount, reloadAccount } from '../account-cache.ts';
import { buyers } from '../account-panels.ts';
import { appLines, AppsTable, changesInWords, toggleId } from './apps-table.tsx';
import classes from './apps-table.module.css';
import { useReadOnly } from '../../../shared/ui/read-only.tsx';

/** Removes apps from a buyer by saving the remaining set. On a conflict it removes them from the newest set, so no other change is lost. */
async function removeApps(account: Account, removedIds: ReadonlySet<number>): Promise<Account> {
  const remaining = account.appIds.filter((id) => !removedIds.has(id));
  try {
    return await buyers.save(account.id, account.version, { app_ids: remaining });
  } catch (error) {
    const current = currentVersion(error, accountSchema);
    if (current === null) throw error;
    return removeApps(current, removedIds);
  }
}

/** The apps of a buyer: rows are marked and removed together on save. */
export function BuyerAppsTab({ account }: { account: Account }) {
  const [removedIds, setRemovedIds] = useState<ReadonlySet<number>>(new Set());
  const isReadOnly = useReadOnly() !== null;
  const [rejections, setRejections] = useState<readonly string[]>([]);
  const lines = appLines(account.apps, new Set(account.appIds.filter((id) => !removedIds.has(id))), []);
  const changes = changesInWords(lines);
  const releaseGuard = useUnsavedWork(changes.length > 0);

  async function save(): Promise<void> {
    try {
      const savedAccount = await removeApps(account, removedIds);
      releaseGuard();
      setRemovedIds(new Set());
      setRejections([]);
      await keepAccount(buyers, savedAccount);
      notify({ type: 'success', message: `Apps of "${savedAccount.name}" saved`, key: `apps of buyer ${savedAccount.id}` });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRejections(isUnconfirmed(error) ? [] : [unshownReason(error) ?? error.message]);
      void reloadAccount(buyers, account.id);
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    askConfirm({ title: accountConfirms.denyApps.title, lines: [accountConfirms.denyApps.text], isDangerous: true, action: save });
  };
  return (
    <form onSubmit={submit} aria-label={`Apps of ${withMarks(account.name)}`}>
      <div className={classes['frame']}>
        {lines.length === 0 ? (
          <StatePanel icon={IconAppsOff} title={emptyAccountTabs.apps(account.name)}>
            Assign apps to buyers on the page of each app.
          </StatePanel>
        ) : (
          <AppsTable lines={lines} isLocked={isReadOnly} onToggle={(id) => setRemovedIds(toggleId(removedIds, id))} />
        )}
      </div>
      <SaveBar
        changedFields={changes}
        errorCount={0}
        unmatchedMessages={rejections}
        save={{ isEnabled: changes.length > 0 }}
        saveLabel={accountLabels.saveChanges}
        onDiscard={() => {
          setRemovedIds(new Set());
          setRejections([]);
        }}
      />
    </form>
  );
}

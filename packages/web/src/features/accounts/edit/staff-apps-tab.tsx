import { Alert, Button } from '@mantine/core';
import type { Account } from '@switchyard/contract/accounts';
import { grantMessages } from '@switchyard/contract/account-rules';
import { accountConfirms, accountLabels, emptyAccountTabs } from '@switchyard/contract/account-texts';
import { syncApps } from '@switchyard/contract/users';
import { IconAlertTriangle, IconApps, IconLockOpen } from '@tabler/icons-react';
import { useMemo, useState, type FormEvent } from 'react';
import { CallError, isUnconfirmed } from '../../../shared/api/call-error.ts';
import { call } from '../../../shared/api/call.ts';
import { callKey } from '../../../shared/api/endpoint-url.ts';
import { unshownReason } from '../../../shared/form/rejected-fields.ts';
import { SaveBar } from '../../../shared/form/save-bar.tsx';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { usePickedRows } from '../../../shared/ui/option-source.ts';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { useUnsavedWork } from '../../../shared/unsaved-work.ts';
import { keepAccount, reloadAccount } from '../account-cache.ts';
import { staff } from '../account-panels.ts';
import { appSource } from '../../../shared/accounts/pick-sources.ts';
import { accountLock } from '../form/account-rights.ts';
import { useRoles } from '../form/role-choices.tsx';
import { appLines, AppsTable, changesInWords, toggleId } from './apps-table.tsx';
import classes from './apps-table.module.css';
import { useReadOnly } from '../../../shared/ui/read-only.tsx';

/** The chosen apps; an empty set is saved as access to all apps. */
type Choice = { readonly ids: ReadonlySet<number>; /** Whether access to all apps was chosen by its button. */ readonly isForAll: boolean };

function choiceOf(account: Account): Choice {
  return { ids: new Set(account.appIds), isForAll: account.hasAllApps };
}

/** The apps of a staff account, saved as a whole set. */
export function StaffAppsTab({ account }: { account: Account }) {
  const reader = useSessionUser();
  const roles = useRoles(staff);
  const { source, base, choice, choose, lines, changed, willWiden, rejected, save, reset } = useAppsChoice(account);
  const readOnly = useReadOnly();
  const lock = readOnly ?? (reader === null ? null : accountLock(account, { reader, roles: roles.list }));
  const mayGrantAll = reader?.hasAllApps === true;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const warning = willWiden ? [`Attention: ${account.name} will have access to all apps, new ones included.`] : [];
    askConfirm({
      title: accountConfirms.saveApps.title,
      lines: [accountConfirms.saveApps.text, ...warning],
      isDangerous: warning.length > 0,
      action: save,
    });
  };
  const toggle = (id: number): void => choose({ ids: toggleId(choice.ids, id), isForAll: false });

  return (
    <form onSubmit={submit} aria-label={`Apps of ${withMarks(account.name)}`}>
      <div className={classes['frame']}>
        <div className={classes['add']}>
          <Dropdown
            label={accountLabels.selectApp}
            placeholder={accountLabels.selectApp}
            width={280}
            options={source}
            hides={(id) => choice.ids.has(Number(id))}
            value={undefined}
            onChange={(id) => id !== undefined && toggle(Number(id))}
            isDisabled={lock !== null}
          />
          {!base.hasAllApps && mayGrantAll && lock === null && (
            <Button
              variant="default"
              leftSection={<IconLockOpen size={16} aria-hidden />}
              disabled={willWiden}
              onClick={() => choose({ ids: new Set(), isForAll: true })}
            >
              Access to all apps
            </Button>
          )}
        </div>
        {willWiden && (
          <Alert color="warning" variant="light" p="xs" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {mayGrantAll ? 'Saved without apps, the user gets access to all apps, new ones included.' : grantMessages.allApps}
          </Alert>
        )}
        {lines.length > 0 && <AppsTable lines={lines} isLocked={lock !== null} onToggle={toggle} />}
        {lines.length === 0 && (
          <StatePanel icon={IconApps} title={base.hasAllApps ? emptyAccountTabs.allApps : emptyAccountTabs.apps(account.name)}>
            {base.hasAllApps ? 'Choose apps above to limit the user to them.' : 'Choose the apps above.'}
          </StatePanel>
        )}
      </div>
      <SaveBar
        changedFields={changed}
        errorCount={0}
        unmatchedMessages={rejected}
        notice={lock ?? undefined}
        save={{ isEnabled: changed.length > 0 && lock === null && (!willWiden || mayGrantAll) }}
        saveLabel={accountLabels.saveChanges}
        onDiscard={() => reset(account)}
      />
    </form>
  );
}

/** The chosen apps of an account, what they change of the stored ones, and saving them. */
function useAppsChoice(account: Account) {
  const [base, setBase] = useState(account);
  const { id, version } = base;
  const source = useMemo(() => appSource({ id, version }), [id, version]);
  const [choice, choose] = useState(() => choiceOf(account));
  const [rejections, setRejections] = useState<readonly string[]>([]);
  const pool = usePickedRows(source, [...choice.ids].filter((appId) => !base.appIds.includes(appId)).map(String));
  const lines = appLines(base.apps, choice.ids, [...pool.values()]);
  const words = changesInWords(lines);
  const willWiden = !base.hasAllApps && choice.ids.size === 0 && (choice.isForAll || base.appIds.length > 0);
  const changes = words.length === 0 && willWiden ? ['access to all apps'] : words;
  const releaseGuard = useUnsavedWork(changes.length > 0);

  const reset = (next: Account): void => {
    setBase(next);
    choose(choiceOf(next));
    setRejections([]);
  };
  // A newer version replaces the choice unless something is unsaved.
  if (account !== base && account.version > base.version && changes.length === 0) reset(account);

  async function save(): Promise<void> {
    try {
      const { data } = await call(syncApps, {
        params: { id: account.id },
        body: { appIds: [...choice.ids].toSorted((a, b) => a - b) },
        showsFailureItself: (status) => status === 403,
      });
      releaseGuard();
      reset(data);
      await keepAccount(staff, data);
      notify({
        type: 'success',
        message: data.hasAllApps ? `"${data.name}" has access to all apps` : `Apps of "${data.name}" saved`,
        key: callKey(syncApps, { id: account.id }),
      });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setRejections(isUnconfirmed(error) ? [] : [unshownReason(error) ?? error.message]);
      void reloadAccount(staff, account.id);
    }
  }
  return {
    source,
    base,
    choice,
    choose,
    lines,
    changed: changes,
    willWiden,
    rejected: rejections,
    save,
    reset,
  };
}

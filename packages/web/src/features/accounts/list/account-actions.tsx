import { Switch } from '@mantine/core';
import { accountMessages } from '@switchyard/contract/account-rules';
import { accountConfirms } from '@switchyard/contract/account-texts';
import type { HandOverTo } from '@switchyard/contract/belongings';
import type { PagedAccount } from '@switchyard/contract/users';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { CallError, isForbidden } from '../../../shared/api/call-error.ts';
import { createStore } from '../../../shared/external-store.ts';
import { RowAction } from '../../../shared/listing/row-action.tsx';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { useGridTabIndex } from '../../../shared/ui/grid-tab-index.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { accountsChanged } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import { BelongingsChoice } from './belongings-choice.tsx';
import classes from './account-cells.module.css';
import { useReadOnly } from '../../../shared/ui/read-only.tsx';

/** Runs a write on an account of the list, reports its result and reloads the list, also after a failure. */
async function change(panel: AccountPanel, { id, name }: PagedAccount, write: () => Promise<unknown>, doneMessage: string): Promise<void> {
  const key = `${panel.noun} ${id}`;
  try {
    await write();
    notify({ type: 'success', message: doneMessage, key });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // The error policy does not report these two, and the list has no other place for them.
    if (isForbidden(error)) notify({ type: 'danger', message: error.message, key });
    if (error.status === 404) notify({ type: 'danger', message: `${name} is no longer there`, key });
  } finally {
    await accountsChanged(panel);
  }
}

/** Asks before access is denied, because that signs the person out everywhere. */
function confirmDenial(panel: AccountPanel, row: PagedAccount, deny: (handOverTo?: HandOverTo) => Promise<void>): void {
  const choice: { to?: HandOverTo | undefined } = {};
  const isReady = createStore(false);
  const onLoaded = (): void => isReady.set(true);
  askConfirm({
    title: accountConfirms.remove.title,
    lines: [`Deny access to "${row.name}"? All sessions of the account end at once.`],
    details: <BelongingsChoice panel={panel} account={row} act="deny" onChoose={(to) => (choice.to = to)} onLoaded={onLoaded} />,
    isReady,
    isDangerous: true,
    action: () => deny(choice.to),
  });
}

/** Grants or denies access at once. */
function switchAccess(panel: AccountPanel, row: PagedAccount, hasAccess: boolean, handOverTo?: HandOverTo): Promise<void> {
  const doneText = hasAccess ? `"${row.name}" has access again` : `Access of "${row.name}" denied`;
  return change(panel, row, () => panel.switchAccess(row.id, hasAccess, handOverTo), doneText);
}

/** Asks whether to delete an account and deletes it. */
function confirmDelete(panel: AccountPanel, row: PagedAccount): void {
  const noun = panel.noun === 'user' ? 'User' : 'Buyer';
  const choice: { to?: HandOverTo | undefined } = {};
  const isReady = createStore(false);
  const onLoaded = (): void => isReady.set(true);
  askConfirm({
    title: accountConfirms.remove.title,
    lines: [accountConfirms.remove.text, `${noun} "${row.name}"`],
    details: <BelongingsChoice panel={panel} account={row} act="delete" onChoose={(to) => (choice.to = to)} onLoaded={onLoaded} />,
    isReady,
    isDangerous: true,
    action: () => change(panel, row, () => panel.remove(row.id, choice.to), `${noun} "${row.name}" deleted`),
  });
}

type Props = {
  panel: AccountPanel;
  account: PagedAccount;
  mayEdit: boolean;
  /** Whether it is the reader's own account, which it cannot deny access or delete. */
  isOwn: boolean;
  /** Why the account cannot be changed; null if it can. */
  lock: string | null;
};

/** Buttons to edit an account, to switch its access and to delete it. */
export function AccountActions({ panel, account, mayEdit, isOwn, lock }: Props) {
  const tabIndex = useGridTabIndex();
  const [wantedAccess, setWantedAccess] = useState<boolean | null>(null);
  const name = withMarks(account.name);

  const onSwitch = async (hasAccess: boolean, handOverTo?: HandOverTo): Promise<void> => {
    setWantedAccess(hasAccess);
    await switchAccess(panel, account, hasAccess, handOverTo);
    setWantedAccess(null);
  };
  const readOnly = useReadOnly();
  const switchReason = readOnly ?? (isOwn ? accountMessages.denySelf : lock);
  const deleteReason = isOwn ? accountMessages.deleteSelf : lock;
  return (
    <span className={classes['actions']}>
      <RowAction
        icon={IconPencil}
        label={`Edit ${name}`}
        href={panel.editPath(account.id)}
        isDisabled={!mayEdit}
        needs="manager_user_edit"
      />
      <Switch
        {...(tabIndex !== undefined && { tabIndex })}
        size="xs"
        aria-label={`Access of ${name}`}
        title={switchReason ?? `Access of ${name}`}
        checked={wantedAccess ?? account.hasAccess}
        disabled={wantedAccess !== null || switchReason !== null}
        onChange={(event) => {
          if (event.currentTarget.checked) void onSwitch(true);
          else confirmDenial(panel, account, (handOverTo) => onSwitch(false, handOverTo));
        }}
      />
      <RowAction
        icon={IconTrash}
        label={`Delete ${name}`}
        title={deleteReason ?? `Delete ${name}`}
        color="danger"
        isDisabled={deleteReason !== null}
        onClick={() => confirmDelete(panel, account)}
      />
    </span>
  );
}

import { ActionIcon, Switch } from '@mantine/core';
import type { AccountRow } from '@switchyard/contract/accounts';
import { accountMessages } from '@switchyard/contract/account-rules';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { AppLink } from '../../../shared/navigation.tsx';
import { useGridTabIndex } from '../../../shared/ui/grid-tab-index.ts';
import { withMarks } from '../../../shared/ui/hidden-characters.ts';
import type { AccountPanel } from '../account-panels.ts';
import classes from './account-cells.module.css';
import { confirmDelete, confirmDenial, switchAccess } from './change-account.ts';

type Props = {
  panel: AccountPanel;
  account: AccountRow;
  mayEdit: boolean;
  /** The reader's own account, of which he cannot take leave. */
  isOwn: boolean;
  /** Why the account may not be changed at all; null when it may. */
  refusal: string | null;
};

/** Ways to edit an account, to switch its access and to delete it (USER-011, AMB-170, AMB-188). */
export function AccountActions({ panel, account, mayEdit, isOwn, refusal }: Props) {
  const tabIndex = useGridTabIndex();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const focus = tabIndex === undefined ? {} : { tabIndex };
  const name = withMarks(account.name);
  const look = { variant: 'subtle', color: 'neutral', size: 'md' } as const;
  const edit = { ...look, 'aria-label': `Edit ${name}`, title: `Edit ${name}` };
  const pencil = <IconPencil size={16} stroke={1.7} aria-hidden />;

  const onSwitch = async (hasAccess: boolean): Promise<void> => {
    setWanted(hasAccess);
    await switchAccess(panel, account, hasAccess);
    setWanted(null);
  };
  const switchReason = isOwn ? accountMessages.denySelf : refusal;
  const deleteReason = isOwn ? accountMessages.deleteSelf : refusal;
  return (
    <span className={classes['actions']}>
      {mayEdit ? (
        <ActionIcon {...edit} {...focus} component={AppLink} href={panel.editPath(account.id)}>
          {pencil}
        </ActionIcon>
      ) : (
        <ActionIcon {...edit} disabled>
          {pencil}
        </ActionIcon>
      )}
      <Switch
        {...focus}
        size="xs"
        aria-label={`Access of ${name}`}
        title={switchReason ?? `Access of ${name}`}
        checked={wanted ?? account.hasAccess}
        disabled={wanted !== null || switchReason !== null}
        onChange={(event) => {
          if (event.currentTarget.checked) void onSwitch(true);
          else confirmDenial(account, () => onSwitch(false));
        }}
      />
      <ActionIcon
        {...look}
        {...focus}
        color="danger"
        aria-label={`Delete ${name}`}
        title={deleteReason ?? `Delete ${name}`}
        disabled={deleteReason !== null}
        onClick={() => confirmDelete(panel, account)}
      >
        <IconTrash size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
    </span>
  );
}

import { Text } from '@mantine/core';
import { useState } from 'react';
import { allApps } from '../../../shared/accounts/pick-sources.ts';
import type { BulkFormProps, BulkItem } from '../../../shared/bulk/bulk-menu.tsx';
import { actionNames } from '../../../shared/bulk/bulk-texts.ts';
import { PickForm } from '../../../shared/bulk/pick-form.tsx';
import { DialogForm } from '../../../shared/form/dialog-form.tsx';
import { Dropdown } from '../../../shared/ui/pick-list.tsx';
import type { AccountPanel } from '../account-panels.ts';
import { newOwners } from './belongings-choice.tsx';
import { useRoles } from '../form/role-choices.tsx';

type RolesAction = 'account.add_roles' | 'account.remove_roles';
type AppsAction = 'account.add_apps' | 'account.remove_apps';

/** Picks roles of the panel that the reader may give. */
function RolesForm({ action, panel, onSubmit, onCancel }: BulkFormProps & { action: RolesAction; panel: AccountPanel }) {
  const { state, list, retry } = useRoles(panel);
  return (
    <PickForm
      label="Roles"
      options={list.filter(({ assignable }) => assignable).map(({ id, label }) => ({ value: String(id), name: label }))}
      onRetry={state === 'failed' ? retry : undefined}
      onCancel={onCancel}
      onSubmit={(ids) => onSubmit({ action, params: { ids } })}
    />
  );
}

function AppsForm({ action, onSubmit, onCancel }: BulkFormProps & { action: AppsAction }) {
  return <PickForm label="Apps" options={allApps} onCancel={onCancel} onSubmit={(ids) => onSubmit({ action, params: { ids } })} />;
}

/** Asks who gets what the accounts share. */
function DenyForm({ keys, onSubmit, onCancel }: BulkFormProps) {
  const [owner, setOwner] = useState<string>();
  const handOver = owner === undefined ? {} : { handOverTo: Number(owner) };
  return (
    <DialogForm
      submitLabel="Check"
      isEnabled
      onCancel={onCancel}
      onSubmit={() => onSubmit({ action: 'account.set_access', params: { hasAccess: false, ...handOver } })}
    >
      <Text size="sm">Choose who gets the shared views, boards, tiles, service accounts and alert rules of these accounts.</Text>
      <Dropdown
        label="New owner"
        options={newOwners}
        hides={(id) => keys.has(id)}
        value={owner}
        onChange={setOwner}
        placeholder="No one: accounts keep what they own"
        width={280}
      />
    </DialogForm>
  );
}

/** The bulk actions on accounts of a panel. */
export function accountBulkItems(panel: AccountPanel): readonly BulkItem[] {
  return [
    { label: 'Grant access', change: { action: 'account.set_access', params: { hasAccess: true } } },
    { label: 'Deny access', action: 'account.set_access', Form: DenyForm },
    ...(['account.add_roles', 'account.remove_roles'] as const).map((action) => ({
      label: actionNames[action],
      action,
      Form: (props: BulkFormProps) => <RolesForm action={action} panel={panel} {...props} />,
    })),
    ...(['account.add_apps', 'account.remove_apps'] as const).map((action) => ({
      label: actionNames[action],
      action,
      Form: (props: BulkFormProps) => <AppsForm action={action} {...props} />,
    })),
    { label: actionNames['account.end_sessions'], change: { action: 'account.end_sessions', params: {} } },
  ];
}

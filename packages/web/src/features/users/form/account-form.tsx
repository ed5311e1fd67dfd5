import type { Account } from '@switchyard/contract/accounts';
import { accountConfirms } from '@switchyard/contract/account-texts';
import type { ReactNode } from 'react';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { PageForm } from '../../../shared/form/page-form.tsx';
import { SaveBar } from '../../../shared/form/save-bar.tsx';
import { useNewest, useSaving } from '../../../shared/form/use-saving.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import type { AccountPanel } from '../account-panels.ts';
import { AccessField, NameFields, PasswordField } from './account-fields.tsx';
import { fieldLabels, type AccountFormValues } from './account-form-values.ts';
import { BindApps } from './bind-apps.tsx';
import { RoleChoices } from './role-choices.tsx';
import { useAccountForm, type AccountFormState } from './use-account-form.ts';
import type { RolesOnOffer } from './use-roles.ts';

/** What is to be saved, and the account that the form began with; undefined for a new one. */
export type AccountSave = {
  readonly values: AccountFormValues;
  readonly hasPassword: boolean;
  readonly loaded: Account | undefined;
};

type Props = {
  panel: AccountPanel;
  roles: RolesOnOffer;
  /** The account to edit; a new one is created when it is left out. A newer version is taken over unless something is unsaved. */
  account?: Account;
  /** Why nothing of the account can be changed; null when it can. */
  refusal?: string | null;
  save: (what: AccountSave) => Promise<Account>;
  /** Hears of the saved account after the form has let go of it, so that it may go elsewhere. */
  onSaved: (account: Account) => void;
  /** Stands above the fields. */
  notice?: ReactNode;
  /** Further sections. */
  children?: ReactNode;
};

/** The form of an account of either panel, new or existing (D2 §2, Create user to Edit buyer, Settings). */
export function AccountForm({ panel, roles, account, refusal = null, save, onSaved, notice, children }: Props) {
  const form = useAccountForm(panel, account);
  const saving = useSaving(form, { onSaved, beginsAnew: !form.isNew });
  useNewest(form, account);
  const isLocked = refusal !== null;
  const isEnabled = form.isComplete && form.errorCount === 0 && form.changed.length > 0 && !isLocked;

  const store = (): Promise<void> => saving.store(() => save({ values: form.values, hasPassword: form.hasPassword, loaded: form.origin }));

  function submit(): void {
    if (!isEnabled) return;
    const { title, text } = accountConfirms.save;
    if (form.isNew) void saving.whileBusy(store);
    else askConfirm({ title, lines: [text], action: store });
  }

  return (
    <PageForm
      label={account === undefined ? `New ${panel.noun}` : `Settings of ${account.name}`}
      takeElement={saving.takeElement}
      onSubmit={submit}
    >
      {notice}
      <FormSection title="Account" summary="Who it is, and how the person signs in.">
        <NameFields form={form} isLocked={isLocked} />
        <PasswordField form={form} isLocked={isLocked} />
        <AccessField form={form} isLocked={isLocked} />
      </FormSection>
      <FormSection title="Roles" summary="What the account may do: everything that any of its roles allows.">
        <RoleChoices form={form} roles={roles} isLocked={isLocked} />
      </FormSection>
      {form.isNew && panel.panel === 'buyer' && (
        <FormSection title="Apps" summary="The apps that the buyer may use. They can also be given on the page of an app.">
          <BindApps form={form} />
        </FormSection>
      )}
      {children}
      <SaveBar
        changed={form.changed.map((field) => fieldLabels[field])}
        errorCount={form.errorCount}
        strays={saving.strays}
        missing={missing(form)}
        notice={refusal ?? undefined}
        save={{ isEnabled: isEnabled && !saving.isBusy, isBusy: saving.isBusy }}
        saveLabel={form.isNew ? 'Create' : 'Save'}
        onDiscard={saving.discard}
      />
    </PageForm>
  );
}

/** What the form still lacks; an existing account keeps its password. */
function missing({ values, isNew, hasPassword, asksCurrentPassword }: AccountFormState): string[] {
  return [
    ...(values.name.trim() === '' ? [fieldLabels.name] : []),
    ...(values.email.trim() === '' ? [fieldLabels.email] : []),
    ...(isNew && hasPassword && values.password === '' ? [fieldLabels.password] : []),
    ...(asksCurrentPassword && values.currentPassword === '' ? [fieldLabels.currentPassword] : []),
    ...(values.roles.length === 0 ? ['at least one role'] : []),
  ];
}

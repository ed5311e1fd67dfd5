import type { NewInvitation } from '@switchyard/contract/invitations';
import type { Account } from '@switchyard/contract/accounts';
import { accountConfirms } from '@switchyard/contract/account-texts';
import { useRef, type ReactNode } from 'react';
import { SaveBarForm } from '../../../shared/form/save-bar-form.tsx';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { useEntityEdit } from '../../../shared/form/use-entity-edit.ts';
import { keepAccount, reloadAccount } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import { AccessField, NameFields, PasswordField } from './account-fields.tsx';
import { accountModel, createBody, saveBody, valuesOf } from './account-model.ts';
import { BindApps } from './bind-apps.tsx';
import { RoleChoices, type RolesOnOffer } from './role-choices.tsx';
import { useAccountDraft } from './use-account-draft.ts';

type Props = {
  panel: AccountPanel;
  roles: RolesOnOffer;
  /** The account to edit; without it a new one is created. A newer version replaces the form unless something is unsaved. */
  account?: Account;
  /** Why nothing of the account can be changed; null if it can. */
  lock: string | null;
  /** Called with the saved account after the leave guard is released, so it may open another page; with the invitation of an invited one. */
  onSaved: (account: Account, invitation: NewInvitation | null) => void;
  /** Shown above the fields. */
  notice?: ReactNode;
  /** Further sections. */
  children?: ReactNode;
};

/** The form of an account of either panel, new or existing. */
export function AccountForm({ panel, roles, account, lock, onSaved, notice, children }: Props) {
  const form = useAccountDraft(panel, account);
  const invitation = useRef<NewInvitation | null>(null);
  const edit = useEntityEdit(accountModel(panel), form, {
    entity: account,
    save: async (values, base) => {
      if (base !== undefined) return panel.save(base.id, base.version, saveBody(valuesOf(base), values));
      const hasApps = panel.panel === 'buyer';
      if (!form.isInvited) return panel.create(createBody(values, { password: form.hasPassword, apps: hasApps }));
      const invitedAccount = await panel.invite(createBody(values, { password: false, apps: hasApps }));
      invitation.current = invitedAccount.invitation;
      return invitedAccount;
    },
    confirm: () => (account === undefined ? undefined : { title: accountConfirms.save.title, lines: [accountConfirms.save.text] }),
    lock,
    onSaved: (savedAccount) => onSaved(savedAccount, invitation.current),
    onReplaced: (current) => void keepAccount(panel, current),
    onFailed: () => account !== undefined && void reloadAccount(panel, account.id),
    // The page of a created account opens at once; an empty form would flash its missing fields.
    resetsOnSave: account !== undefined,
  });
  const isLocked = lock !== null;
  const [label, saveLabel] =
    account === undefined
      ? [`New ${panel.noun}`, form.isInvited ? 'Create and invite' : 'Create']
      : [`Settings of ${account.name}`, 'Save'];
  return (
    <SaveBarForm edit={edit} label={label} saveLabel={saveLabel}>
      {notice}
      <FormSection title="Account" summary="Name, sign-in and access.">
        <NameFields form={form} isLocked={isLocked} />
        <PasswordField form={form} isLocked={isLocked} />
        <AccessField form={form} isLocked={isLocked} />
      </FormSection>
      <FormSection title="Roles" summary="What the account may do: everything that any of its roles allows.">
        <RoleChoices form={form} roles={roles} isLocked={isLocked} />
      </FormSection>
      {form.isNew && panel.panel === 'buyer' && (
        <FormSection title="Apps" summary="The apps that the buyer may use. You can also assign them on the app's page.">
          <BindApps form={form} />
        </FormSection>
      )}
      {children}
    </SaveBarForm>
  );
}

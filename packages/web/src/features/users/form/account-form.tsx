import type { Account } from '@switchyard/contract/accounts';
import { accountConfirms } from '@switchyard/contract/account-texts';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { CallError } from '../../../shared/api/call-error.ts';
import { focusFirstWrong } from '../../../shared/form/first-wrong.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import formClasses from '../../../shared/form/form.module.css';
import { SaveBar } from '../../../shared/form/save-bar.tsx';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { useUnsavedWork } from '../../../shared/use-unsaved-work.ts';
import type { AccountPanel } from '../account-panels.ts';
import { AccessField, NameFields, PasswordField } from './account-fields.tsx';
import { fieldLabels, type AccountFormValues } from './account-form-values.ts';
import { BindApps } from './bind-apps.tsx';
import { RoleChoices } from './role-choices.tsx';
import { useAccountForm } from './use-account-form.ts';
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
  const [strays, setStrays] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const isChanged = form.changed.length > 0;
  const letGo = useUnsavedWork(isChanged);
  const element = useRef<HTMLFormElement>(null);
  const isLocked = refusal !== null;
  const isEnabled = form.isComplete && form.errorCount === 0 && isChanged && !isLocked;

  const takeOver = useEffectEvent((newest: Account | undefined) => {
    if (newest !== undefined && newest.version > (form.loadedAccount?.version ?? 0) && !isChanged) form.begin(newest);
  });
  useEffect(() => takeOver(account), [account]);

  async function store(): Promise<void> {
    try {
      const saved = await save({ values: form.values, hasPassword: form.hasPassword, loaded: form.loadedAccount });
      setStrays([]);
      letGo();
      if (!form.isNew) form.begin(saved);
      onSaved(saved);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setStrays([...form.refuse(error.fields), ...(error.status === 403 ? [error.message] : [])]);
      if (Object.keys(error.fields).length > 0) focusFirstWrong(element.current);
    }
  }

  async function submit(): Promise<void> {
    if (!isEnabled || isBusy) return;
    if (!form.isNew) {
      const { title, text } = accountConfirms.save;
      askConfirm({ title, lines: [text], action: store });
      return;
    }
    setIsBusy(true);
    try {
      await store();
    } finally {
      setIsBusy(false);
    }
  }

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <form
      ref={element}
      className={formClasses['form']}
      noValidate
      onSubmit={onSubmit}
      aria-label={account === undefined ? `New ${panel.noun}` : `Settings of ${account.name}`}
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
        strays={strays}
        notice={refusal ?? (form.isNew && form.errorCount === 0 && !form.isComplete ? neededText(form.hasPassword) : undefined)}
        save={{ isEnabled: isEnabled && !isBusy, isBusy }}
        saveLabel={form.isNew ? 'Create' : 'Save'}
        onDiscard={() => {
          setStrays([]);
          form.begin(form.loadedAccount);
        }}
      />
    </form>
  );
}

function neededText(hasPassword: boolean): string {
  return hasPassword ? 'Name, email, password and at least one role are needed' : 'Name, email and at least one role are needed';
}

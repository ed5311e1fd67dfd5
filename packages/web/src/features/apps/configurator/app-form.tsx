import { appMessages } from '@switchyard/contract/app-rules';
import { saveAppConfirm } from '@switchyard/contract/app-form-texts';
import type { FullApp } from '@switchyard/contract/app-form';
import type { ReactNode } from 'react';
import { PageForm } from '../../../shared/form/page-form.tsx';
import { SaveBar } from '../../../shared/form/save-bar.tsx';
import { useNewest, useSaving } from '../../../shared/form/use-saving.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { partLabels } from './app-fields.ts';
import { toBody, type AppBody, type AppFormValues } from './app-form-values.ts';
import { AppUsersSection } from './app-users-section.tsx';
import { GeneralSection } from './general-section.tsx';
import { KeysSection } from './keys-section.tsx';
import { ResponseSection } from './response-section.tsx';
import { useAppForm } from './use-app-form.ts';
import { VerticalSection } from './vertical-section.tsx';

/** What is to be saved. */
export type AppSave = {
  /** The whole form, as it is sent (CONF-072 to CONF-075). */
  readonly body: AppBody;
  /** What the form held, to compare with what somebody else saved meanwhile. */
  readonly values: AppFormValues;
  /** The app as the form has loaded it; its version goes into If-Match. Undefined for a new app. */
  readonly loaded: FullApp | undefined;
};

type Props = {
  /** The app to edit; a new one is created when it is left out. A newer version is taken over unless something is unsaved. */
  app?: FullApp;
  /** Saves once the prompt is confirmed and gives the app as saved; a rejected CallError has its fields shown in the form. */
  save: (what: AppSave) => Promise<FullApp>;
  /** Hears of the saved app after the form has let go of it, so that it may go elsewhere. */
  onSaved: (app: FullApp) => void;
  /** Sections of an existing app, in their places among the form's own (CONF-027, CONF-031). */
  servers?: ReactNode;
  pushFile?: ReactNode;
};

/** What an app cannot be without (CONF-065 to CONF-068). */
const requiredParts = ['name', 'bundle', 'domain', 'vertical'] as const;

/** The app configurator (D1 §2): the sections of an app, new or existing, and the bar that saves them. */
export function AppForm({ app, save, onSaved, servers, pushFile }: Props) {
  const form = useAppForm(app);
  const saving = useSaving(form, { onSaved });
  useNewest(form, app);
  const maySave = useHoldsAny(app === undefined ? 'manager_app_create' : 'manager_app_edit');

  const errorCount = Object.keys(form.errors).length;
  const isArchived = app !== undefined && app.deleted_at !== null;
  const missing = requiredParts.filter((part) => form.values[part] === '').map((part) => partLabels[part]);
  const isEnabled = errorCount === 0 && missing.length === 0 && form.changed.length > 0 && !isArchived;

  async function submit(): Promise<void> {
    if (!isEnabled || !maySave) return;
    const values = await saving.whileBusy(form.judgeAll);
    if (values === null) saving.showWrong();
    if (values === null || values === undefined) return;
    const affectsClients = app?.has_clients === true && (values.bundle !== form.loaded.bundle || values.domain !== form.loaded.domain);
    askConfirm({
      title: saveAppConfirm.title,
      lines: [saveAppConfirm.text, ...(affectsClients ? [saveAppConfirm.affectsClients] : [])],
      action: () => saving.store(() => save({ body: toBody(values), values, loaded: form.origin })),
    });
  }

  return (
    <PageForm
      label={app === undefined ? 'New app' : `App ${app.name}`}
      takeElement={saving.takeElement}
      onSubmit={() => void submit()}
      hasIndex
    >
      <GeneralSection form={form} />
      {servers}
      <VerticalSection form={form} />
      <KeysSection form={form} />
      {pushFile}
      <AppUsersSection form={form} mayChange={maySave} />
      <ResponseSection form={form} />
      <SaveBar
        changed={form.changed.map((key) => partLabels[key])}
        errorCount={errorCount}
        missing={missing}
        strays={saving.strays}
        notice={isArchived ? appMessages.archived : undefined}
        save={maySave ? { isEnabled, isBusy: saving.isBusy } : null}
        onDiscard={saving.discard}
      />
    </PageForm>
  );
}

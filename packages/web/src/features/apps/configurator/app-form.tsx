import type { FullApp } from '@switchyard/contract/app-form';
import { saveAppConfirm } from '@switchyard/contract/app-form-texts';
import { appMessages } from '@switchyard/contract/app-rules';
import type { ReactNode } from 'react';
import { SaveBarForm } from '../../../shared/form/save-bar-form.tsx';
import { useEntityEdit } from '../../../shared/form/use-entity-edit.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { appModel, type AppValues } from './app-model.ts';
import { GeneralSection, KeysSection, VerticalSection } from './app-sections.tsx';
import { AppUsersSection } from './app-users-section.tsx';
import { ResponseSection } from './response-section.tsx';
import { useAppDraft } from './use-app-draft.ts';

type Props = {
  /** The app to edit; without it a new one is created. A newer version replaces the form unless something is unsaved. */
  app?: FullApp;
  /** Values with which the form of a new app begins. */
  start?: AppValues | undefined;
  /** Stores the values over `base`, whose version goes into `If-Match`; creates the app if `base` is undefined. */
  save: (values: AppValues, base: FullApp | undefined) => Promise<FullApp>;
  /** Called with the saved app after the leave guard is released, so it may open another page. */
  onSaved: (app: FullApp) => void;
  /** Called with the version of somebody else that replaced the form. */
  onReplaced?: (app: FullApp) => void;
  /** Called after a save failed for a reason other than a conflict. */
  onFailed?: () => void;
  /** Sections of an existing app that are saved separately. */
  servers?: ReactNode;
  pushFile?: ReactNode;
};

/** The app configurator: all sections of an app, new or existing, and the bar that saves them. */
export function AppForm({ app, start, save, servers, pushFile, ...callbacks }: Props) {
  const form = useAppDraft(app, start);
  const maySave = useHoldsAny(app === undefined ? 'manager_app_create' : 'manager_app_edit');
  const edit = useEntityEdit(appModel, form, {
    ...callbacks,
    entity: app,
    save,
    validate: form.validateAll,
    confirm: ({ bundle, domain }) => {
      // While statistics are missing nobody knows whether there are clients.
      const mayHaveClients = app?.has_clients === true || app?.statistics.missing !== undefined;
      const affectsClients = mayHaveClients && (bundle !== form.loaded.bundle || domain !== form.loaded.domain);
      return { title: saveAppConfirm.title, lines: [saveAppConfirm.text, ...(affectsClients ? [saveAppConfirm.affectsClients] : [])] };
    },
    lock: app !== undefined && app.deleted_at !== null ? appMessages.archived : null,
  });
  return (
    <SaveBarForm edit={edit} label={app === undefined ? 'New app' : `App ${app.name}`} maySave={maySave} hasIndex>
      <GeneralSection form={form} />
      {servers}
      <VerticalSection form={form} />
      <KeysSection form={form} />
      {pushFile}
      <AppUsersSection form={form} mayChange={maySave} />
      <ResponseSection form={form} />
    </SaveBarForm>
  );
}

import { appMessages } from '@switchyard/contract/app-rules';
import { saveAppConfirm } from '@switchyard/contract/app-form-texts';
import type { FullApp } from '@switchyard/contract/app-form';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { CallError } from '../../../shared/api/call-error.ts';
import { focusFirstWrong } from '../../../shared/form/first-wrong.ts';
import formClasses from '../../../shared/form/form.module.css';
import { SaveBar } from '../../../shared/form/save-bar.tsx';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { useUnsavedWork } from '../../../shared/use-unsaved-work.ts';
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

/** The app configurator (D1 §2): the sections of an app, new or existing, and the bar that saves them. */
export function AppForm({ app, save, onSaved, servers, pushFile }: Props) {
  const form = useAppForm(app);
  const [strays, setStrays] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const maySave = useHoldsAny(app === undefined ? 'manager_app_create' : 'manager_app_edit');
  const isChanged = form.changed.length > 0;
  const letGo = useUnsavedWork(isChanged);
  const element = useRef<HTMLFormElement>(null);

  const takeOver = useEffectEvent((newest: FullApp | undefined) => {
    if (newest !== undefined && newest.version > (form.loadedApp?.version ?? 0) && !isChanged) form.begin(newest);
  });
  useEffect(() => takeOver(app), [app]);

  const { name, bundle, domain, vertical } = form.values;
  const errorCount = Object.keys(form.errors).length;
  const isArchived = app !== undefined && app.deleted_at !== null;
  const isComplete = name !== '' && bundle !== '' && domain !== '' && vertical !== '';
  const isEnabled = errorCount === 0 && isComplete && isChanged && !isArchived;

  async function store(values: AppFormValues): Promise<void> {
    const loaded = form.loadedApp;
    try {
      const saved = await save({ body: toBody(values), values, loaded });
      setStrays([]);
      letGo();
      form.begin(saved);
      onSaved(saved);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setStrays(form.refuse(error.fields));
      focusWrong(Object.keys(error.fields).length > 0);
    }
  }

  async function submit(): Promise<void> {
    if (!isEnabled || isBusy || !maySave) return;
    setIsBusy(true);
    const values = await form.judgeAll();
    setIsBusy(false);
    if (values === null) return focusWrong(true);
    const affectsClients = app?.has_clients === true && (values.bundle !== form.loaded.bundle || values.domain !== form.loaded.domain);
    askConfirm({
      title: saveAppConfirm.title,
      lines: [saveAppConfirm.text, ...(affectsClients ? [saveAppConfirm.affectsClients] : [])],
      action: () => store(values),
    });
  }

  /** Takes the reader to the first wrong field, once the prompt is gone and has given the focus back. */
  function focusWrong(isAny: boolean): void {
    if (isAny) focusFirstWrong(element.current);
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
      aria-label={app === undefined ? 'New app' : `App ${app.name}`}
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
        strays={strays}
        notice={isArchived ? appMessages.archived : undefined}
        save={maySave ? { isEnabled, isBusy } : null}
        onDiscard={() => {
          setStrays([]);
          form.begin(form.loadedApp);
        }}
      />
    </form>
  );
}

import { linkTexts } from '@switchyard/contract/app-domains';
import { saveApp, type FullApp } from '@switchyard/contract/app-form';
import { pushFileTexts } from '@switchyard/contract/app-push-file';
import { call } from '../../../shared/api/call.ts';
import { callKey } from '../../../shared/api/endpoint-url.ts';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { AppForm } from '../configurator/app-form.tsx';
import { toBody, type AppValues } from '../configurator/app-model.ts';
import { keepSavedApp, reloadApp } from './app-query.ts';
import { PushFileSection } from './push-file/push-file-section.tsx';
import { ServersSection } from './servers/servers-section.tsx';

type Props = {
  /** The newest stored version. */
  app: FullApp;
  /** Whether the last reload failed, so the app may be outdated. */
  isStale: boolean;
};

function reportSaved(app: FullApp): void {
  void keepSavedApp(app);
  notify({ type: 'success', message: `App "${app.name}" saved`, key: callKey(saveApp, { id: app.id }) });
}

/** The configurator of an existing app, with its servers and its push file. */
export function GeneralTab({ app, isStale }: Props) {
  const save = async (values: AppValues, base: FullApp = app): Promise<FullApp> => {
    const { data } = await call(saveApp, {
      params: { id: app.id },
      body: toBody(values),
      ifMatch: base.version,
      showsFailureItself: (status) => status === 412,
    });
    return data;
  };
  return (
    <AppForm
      app={app}
      save={save}
      onSaved={reportSaved}
      onReplaced={(current) => void keepSavedApp(current)}
      onFailed={() => void reloadApp(app.id)}
      servers={
        <FormSection title={linkTexts.section} summary="The traffic servers that answer for the app's saved domain.">
          <ServersSection app={app} isStale={isStale} />
        </FormSection>
      }
      pushFile={
        <FormSection
          title={pushFileTexts.section}
          summary="The service account that pushes are sent with. It is saved apart from the rest."
        >
          <PushFileSection app={app} />
        </FormSection>
      }
    />
  );
}

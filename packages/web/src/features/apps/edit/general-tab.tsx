import { linkTexts } from '@switchyard/contract/app-domains';
import { saveApp, type FullApp } from '@switchyard/contract/app-form';
import { pushFileTexts } from '@switchyard/contract/app-push-file';
import { useState } from 'react';
import { call } from '../../../shared/api/call.ts';
import { callKey } from '../../../shared/api/endpoint-url.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { AppForm, type AppSave } from '../configurator/app-form.tsx';
import { FormSection } from '../../../shared/form/form-section.tsx';
import { keepSavedApp, reloadApp } from './app-query.ts';
import { currentApp, type AppConflict } from './conflict/conflict.ts';
import { AppConflictResolver } from './conflict/conflict-resolver.tsx';
import { PushFileSection } from './push-file/push-file-section.tsx';
import { ServersSection } from './servers/servers-section.tsx';

type Props = {
  /** The app as the server has it now. */
  app: FullApp;
  /** Looking at it again has failed, so it may be old. */
  isStale: boolean;
};

/** Takes over what a save has answered and says so. */
function takeOver(app: FullApp): void {
  void keepSavedApp(app);
  notify({ type: 'success', message: `App "${app.name}" saved`, key: callKey(saveApp, { id: app.id }) });
}

/** The configurator of an existing app, with its servers and its push file (CONF-016 to CONF-025). */
export function GeneralTab({ app, isStale }: Props) {
  const [conflict, setConflict] = useState<AppConflict | null>(null);
  // A form that begins anew: what it held is thrown away.
  const [formNumber, setFormNumber] = useState(1);

  const save = async ({ body, values, loaded = app }: AppSave): Promise<FullApp> => {
    try {
      const { data } = await call(saveApp, {
        params: { id: app.id },
        body,
        ifMatch: loaded.version,
        showsFailureItself: (status) => status === 412,
      });
      return data;
    } catch (error) {
      const current = currentApp(error);
      if (current === null) void reloadApp(app.id);
      else setConflict({ loaded, current, values });
      throw error;
    }
  };
  const begin = (next: FullApp): void => {
    setConflict(null);
    setFormNumber(formNumber + 1);
    void keepSavedApp(next);
  };
  return (
    <>
      <AppForm
        key={formNumber}
        app={app}
        save={save}
        onSaved={takeOver}
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
      <AppConflictResolver
        conflict={conflict}
        onClose={() => setConflict(null)}
        onConflict={setConflict}
        onLoad={begin}
        onSaved={(next) => {
          begin(next);
          takeOver(next);
        }}
      />
    </>
  );
}

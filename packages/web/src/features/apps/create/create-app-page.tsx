import { createApp } from '@switchyard/contract/app-form';
import { call } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { EntityPage } from '../../../shared/form/entity-page.tsx';
import { listKey } from '../../../shared/listing/list-key.ts';
import { useOpenPath } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { AppForm } from '../configurator/app-form.tsx';
import { toBody } from '../configurator/app-model.ts';

/** Creates an app and opens its edit page on the General tab. */
export function CreateAppPage() {
  const openPath = useOpenPath();
  return (
    <EntityPage listTitle="Apps" listPath={paths.apps()}>
      <AppForm
        save={async (values) => (await call(createApp, { body: toBody(values) })).data}
        onSaved={({ id, name }) => {
          notify({ type: 'success', message: `App "${name}" created` });
          void queryClient.invalidateQueries({ queryKey: listKey('apps') });
          openPath(paths.appEdit(id, 'General'));
        }}
      />
    </EntityPage>
  );
}

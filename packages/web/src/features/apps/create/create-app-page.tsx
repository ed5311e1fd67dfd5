import { createApp } from '@switchyard/contract/app-form';
import { call } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { useOpenPath } from '../../../shared/navigation.tsx';
import { Page } from '../../../shared/page/page.tsx';
import { paths } from '../../../shared/paths.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { AppForm } from '../configurator/app-form.tsx';

/** Creates an app and opens its edit page on the General tab (CONF-001 to CONF-005). */
export function CreateAppPage() {
  const openPath = useOpenPath();
  return (
    <Page title="Apps" titleHref={paths.apps()} documentTitle="Create app" crumbs={[{ label: 'Create app' }]}>
      <AppForm
        save={async ({ body }) => (await call(createApp, { body })).data}
        onSaved={({ id, name }) => {
          notify({ type: 'success', message: `App "${name}" created` });
          void queryClient.invalidateQueries({ queryKey: listKey('apps') });
          openPath(paths.appEdit(id, 'General'));
        }}
      />
    </Page>
  );
}

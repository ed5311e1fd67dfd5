import { createApp } from '@switchyard/contract/app-form';
import { call } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { CopyPage, EntityPage } from '../../../shared/form/entity-page.tsx';
import { listKey } from '../../../shared/listing/list-key.ts';
import { readId, useOpenPath, useParameter } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { AppForm } from '../configurator/app-form.tsx';
import { toBody, type AppValues } from '../configurator/app-model.ts';
import { useApp } from '../edit/app-query.ts';
import { copyApp, readParts } from './copy-app.ts';

const list = { listTitle: 'Apps', listPath: paths.apps() };

/** Creates an app and opens its edit page on the General tab. The address may name an app from which to take parts. */
export function CreateAppPage() {
  const id = readId(useParameter('copy')[0]);
  if (id !== null) return <CopyApp key={id} id={id} />;
  return (
    <EntityPage {...list}>
      <NewApp />
    </EntityPage>
  );
}

function CopyApp({ id }: { id: number }) {
  const parts = readParts(useParameter('parts')[0]);
  return (
    <CopyPage {...list} noun="app" query={useApp(id)}>
      {({ data }) => <NewApp start={copyApp(data, parts)} />}
    </CopyPage>
  );
}

function NewApp({ start }: { start?: AppValues }) {
  const openPath = useOpenPath();
  return (
    <AppForm
      start={start}
      save={async (values) => (await call(createApp, { body: toBody(values) })).data}
      onSaved={({ id, name }) => {
        notify({ type: 'success', message: `App "${name}" created` });
        void queryClient.invalidateQueries({ queryKey: listKey('apps') });
        openPath(paths.appEdit(id, 'General'));
      }}
    />
  );
}

import { createServer } from '@switchyard/contract/traffic-servers';
import { IconLock } from '@tabler/icons-react';
import { call } from '../../shared/api/call.ts';
import { useGoBack, useRouteTitle } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { paths } from '../../shared/paths.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { StatePanel } from '../../shared/ui/state-panel.tsx';
import { ServerForm } from './server-form.tsx';
import { forgetServers } from './server-query.ts';
import { toBody } from './server-values.ts';
import { allAppsOnly, useServesAllApps } from './use-serves-all-apps.ts';

/** Creates a server and goes back one step (SRV-015, SRV-017). */
export function CreateServerPage() {
  const goBack = useGoBack();
  const title = useRouteTitle();
  const isAllowed = useServesAllApps();
  return (
    <Page title="Servers" titleHref={paths.servers()} documentTitle={title} crumbs={[{ label: title }]}>
      {isAllowed ? (
        <ServerForm
          save={async (values) => (await call(createServer, { body: toBody(values) })).data}
          onSaved={({ name }) => {
            notify({ type: 'success', message: `Server "${name}" created` });
            void forgetServers();
            goBack(paths.servers());
          }}
        />
      ) : (
        <StatePanel icon={IconLock} title="You cannot create servers">
          {allAppsOnly}
        </StatePanel>
      )}
    </Page>
  );
}

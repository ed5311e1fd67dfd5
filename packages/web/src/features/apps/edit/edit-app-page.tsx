import { Button, Skeleton } from '@mantine/core';
import type { FullApp } from '@switchyard/contract/app-form';
import { appMessages } from '@switchyard/contract/app-rules';
import { IconCloudOff, IconLock, IconMapOff } from '@tabler/icons-react';
import { Suspense, type ReactNode } from 'react';
import { CallError, isForbidden } from '../../../shared/api/call-error.ts';
import { AppLink, useIdParam, useRouteTitle } from '../../../shared/navigation.tsx';
import { Page } from '../../../shared/page/page.tsx';
import { RouteTabs } from '../../../shared/page/route-tabs.tsx';
import { paths } from '../../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { BlinkingNotice } from '../../../shared/ui/blinking-notice.tsx';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { confirmRestore } from '../list/archive-app.ts';
import { useApp } from './app-query.ts';
import { openTabs, type AppTabContents } from './app-tabs.ts';
import { GeneralTab } from './general-tab.tsx';

type Props = { contents: AppTabContents };

/** The edit page of the app that the address names (CONF-006 to CONF-025). */
export function EditAppPage({ contents }: Props) {
  const id = useIdParam();
  // A form belongs to one app: another one begins anew.
  return id === null ? <NotFound /> : <LoadedPage key={id} id={id} contents={contents} />;
}

function LoadedPage({ id, contents }: Props & { id: number }) {
  const { data, error, isFetching, refetch } = useApp(id);
  if (data !== undefined) return <AppTabs app={data.data} error={error} contents={contents} />;
  if (error === null) return <Loading />;
  if (isGone(error)) return <NotFound />;
  return <Failed error={error} isRunning={isFetching} onRetry={() => void refetch()} />;
}

function isGone(error: Error | null): boolean {
  return error instanceof CallError && error.status === 404;
}

function Frame({ name, children }: { name?: string; children: ReactNode }) {
  const title = useRouteTitle();
  const crumb = name === undefined ? title : `${title}: ${name}`;
  return (
    <Page title="Apps" titleHref={paths.apps()} documentTitle={title} crumbs={[{ label: crumb }]}>
      {children}
    </Page>
  );
}

/** The tabs that the account may open; what is archived or no longer there is said above them all (CONF-013). */
function AppTabs({ app, error, contents }: { app: FullApp; error: Error | null; contents: AppTabContents }) {
  const held = useSessionUser()?.permissions ?? [];
  return (
    <Frame name={app.name}>
      {app.deleted_at !== null && <ArchivedNotice app={app} />}
      {isGone(error) && (
        <BlinkingNotice tone="danger">This app is no longer there for your account; what you change here cannot be saved.</BlinkingNotice>
      )}
      <RouteTabs names={openTabs(held, contents)} label="App">
        {(name) => <TabContent name={name} app={app} isStale={error !== null} contents={contents} />}
      </RouteTabs>
    </Frame>
  );
}

/** Says that the app is archived (CONF-013), and offers to restore it to those who may. */
function ArchivedNotice({ app }: { app: FullApp }) {
  const mayRestore = useHoldsAny('manager_app_delete');
  return (
    <BlinkingNotice
      action={
        mayRestore && (
          <Button size="compact-sm" variant="default" onClick={() => confirmRestore(app)}>
            Restore
          </Button>
        )
      }
    >
      {appMessages.archived}
    </BlinkingNotice>
  );
}

function TabContent({ name, app, isStale, contents }: { name: string; app: FullApp; isStale: boolean; contents: AppTabContents }) {
  if (name !== 'Event' && name !== 'Push' && name !== 'Conversion') return <GeneralTab app={app} isStale={isStale} />;
  const Content = contents[name];
  return <Suspense fallback={<Sketch />}>{Content !== undefined && <Content app={app} />}</Suspense>;
}

function Sketch() {
  return (
    <output aria-label="Loading">
      <Skeleton height={36} width={320} mb="md" />
      <Skeleton height={220} radius="lg" mb="md" />
      <Skeleton height={160} radius="lg" />
    </output>
  );
}

function Loading() {
  return (
    <Frame>
      <Sketch />
    </Frame>
  );
}

function NotFound() {
  return (
    <Frame>
      <StatePanel
        icon={IconMapOff}
        title="App not found"
        action={
          <Button component={AppLink} href={paths.apps()}>
            Go to the apps
          </Button>
        }
      >
        404. There is no such app, or your account may not see it.
      </StatePanel>
    </Frame>
  );
}

function Failed({ error, isRunning, onRetry }: { error: Error; isRunning: boolean; onRetry: () => void }) {
  return (
    <Frame>
      {isForbidden(error) ? (
        <StatePanel icon={IconLock} tone="warning" title="No access">
          Your account may not edit apps. Ask an administrator for the permission.
        </StatePanel>
      ) : (
        <StatePanel
          icon={IconCloudOff}
          tone="danger"
          title="The app could not be loaded"
          action={
            <Button onClick={onRetry} loading={isRunning}>
              Try again
            </Button>
          }
        >
          {error.message}
        </StatePanel>
      )}
    </Frame>
  );
}

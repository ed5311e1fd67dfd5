import { Button, Skeleton } from '@mantine/core';
import type { FullApp } from '@switchyard/contract/app-form';
import { appMessages } from '@switchyard/contract/app-rules';
import { holdsAny, type Permission } from '@switchyard/contract/permissions';
import { IconLock, IconMapOff } from '@tabler/icons-react';
import { Suspense, type ComponentType, type ReactNode } from 'react';
import { CallError, isForbidden } from '../../../shared/api/call-error.ts';
import { EntityPage, HistoryLink } from '../../../shared/form/entity-page.tsx';
import { AppLink, useIdParam } from '../../../shared/navigation.tsx';
import { RouteTabs } from '../../../shared/page/route-tabs.tsx';
import { paths, type AppTab } from '../../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { BlinkingNotice } from '../../../shared/ui/blinking-notice.tsx';
import { LoadFailure } from '../../../shared/ui/load-failure.tsx';
import { StatePanel } from '../../../shared/ui/state-panel.tsx';
import { DuplicateApp } from '../create/duplicate-app.tsx';
import { confirmRestore } from '../list/archive-app.ts';
import { useApp } from './app-query.ts';
import { GeneralTab } from './general-tab.tsx';
import { Writes } from '../../../shared/ui/read-only.tsx';

/** The tabs of an app in their order, each with the permissions of which it requires one. */
const tabPermissions = [
  { name: 'General', anyOf: [] },
  { name: 'Event', anyOf: ['manager_app_requests'] },
  { name: 'Push', anyOf: ['manager_app_pushes'] },
  { name: 'Conversion', anyOf: ['manager_app_conversions'] },
] as const satisfies readonly { name: AppTab; anyOf: readonly Permission[] }[];

/** The content of a tab; may be lazy. */
type AppTabContent = ComponentType<{ app: FullApp }>;

/** The content of the tabs besides General, which other features provide. */
export type AppTabContents = Partial<Record<Exclude<AppTab, 'General'>, AppTabContent>>;

/** The tabs that have content and that the account may open. */
function openTabs(permissions: readonly string[], contents: AppTabContents): readonly AppTab[] {
  return tabPermissions
    .filter(({ name, anyOf }) => holdsAny(permissions, anyOf) && (name === 'General' || contents[name] !== undefined))
    .map(({ name }) => name);
}

type Props = { contents: AppTabContents };

/** The edit page of the app that the address names. */
export function EditAppPage({ contents }: Props) {
  const id = useIdParam();
  // The key gives every app a form of its own.
  return id === null ? <NotFound /> : <LoadedPage key={id} id={id} contents={contents} />;
}

function LoadedPage({ id, contents }: Props & { id: number }) {
  const { data, error, isFetching, refetch } = useApp(id);
  if (data !== undefined) return <AppTabs app={data.data} error={error} contents={contents} />;
  if (error === null) return <Loading />;
  if (isGone(error)) return <NotFound />;
  return <AppLoadFailure error={error} isRunning={isFetching} onRetry={() => void refetch()} />;
}

function isGone(error: Error | null): boolean {
  return error instanceof CallError && error.status === 404;
}

function Frame({ app, children }: { app?: FullApp; children: ReactNode }) {
  return (
    <EntityPage
      listTitle="Apps"
      listPath={paths.apps()}
      {...(app === undefined
        ? {}
        : {
            name: app.name,
            actions: (
              <>
                <DuplicateApp app={app} />
                <HistoryLink href={paths.appHistory(app.id)} />
              </>
            ),
          })}
    >
      {children}
    </EntityPage>
  );
}

/** The tabs that the account may open, below a notice if the app is archived or unavailable. */
function AppTabs({ app, error, contents }: { app: FullApp; error: Error | null; contents: AppTabContents }) {
  const permissions = useSessionUser()?.permissions ?? [];
  return (
    <Frame app={app}>
      {app.deleted_at !== null && <ArchivedNotice app={app} />}
      {isGone(error) && (
        <BlinkingNotice tone="danger">This app is no longer there for your account; what you change here cannot be saved.</BlinkingNotice>
      )}
      <RouteTabs names={openTabs(permissions, contents)} label="App">
        {(name) => <TabContent name={name} app={app} isStale={error !== null} contents={contents} />}
      </RouteTabs>
    </Frame>
  );
}

/** Says that the app is archived and offers to restore it. */
function ArchivedNotice({ app }: { app: FullApp }) {
  const mayRestore = useHoldsAny('manager_app_delete');
  return (
    <BlinkingNotice
      action={
        mayRestore && (
          <Writes>
            <Button size="compact-sm" variant="default" onClick={() => confirmRestore(app)}>
              Restore
            </Button>
          </Writes>
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
  return <Suspense fallback={<TabSkeleton />}>{Content !== undefined && <Content app={app} />}</Suspense>;
}

function TabSkeleton() {
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
      <TabSkeleton />
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

function AppLoadFailure({ error, isRunning, onRetry }: { error: Error; isRunning: boolean; onRetry: () => void }) {
  return (
    <Frame>
      {isForbidden(error) ? (
        <StatePanel icon={IconLock} tone="warning" title="No access">
          Your account may not edit apps. Ask an administrator for the permission.
        </StatePanel>
      ) : (
        <LoadFailure title="The app could not be loaded" isRunning={isRunning} onRetry={onRetry}>
          {error.message}
        </LoadFailure>
      )}
    </Frame>
  );
}

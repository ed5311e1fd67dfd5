import { Button } from '@mantine/core';
import { IconCopy, IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { CallError, isForbidden } from '../api/call-error.ts';
import { Writes } from '../ui/read-only.tsx';
import { AppLink, useGoBack, useIdParam, useRouteTitle } from '../navigation.tsx';
import { Page } from '../page/page.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { notify } from '../ui/notifications/notification-center.ts';
import { useHoldsInput } from '../unsaved-work.ts';

type PageProps = {
  /** Title and path of the list that the entity belongs to. */
  listTitle: string;
  listPath: string;
  /** The name of an existing entity once it is loaded. */
  name?: string;
  /** Links and buttons of the entity beside the heading. */
  actions?: ReactNode;
  /** Whether the entity is being loaded. */
  isBlocked?: boolean;
  children?: ReactNode;
};

/** The page that creates or edits an entity, with the way back to its list. */
export function EntityPage({ listTitle, listPath, name, actions, isBlocked = false, children }: PageProps) {
  const title = useRouteTitle();
  const crumb = name === undefined ? title : `${title}: ${name}`;
  return (
    <Page title={listTitle} titleHref={listPath} documentTitle={title} crumbs={[{ label: crumb }]} actions={actions} isBlocked={isBlocked}>
      {children}
    </Page>
  );
}

type CopyProps<Entity> = Pick<PageProps, 'listTitle' | 'listPath'> & {
  noun: string;
  /** The query of the entity to duplicate. */
  query: { data: Entity | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** The form of the new entity. */
  children: (copied: Entity) => ReactNode;
};

/** The page that creates an entity from another one, once that is loaded. */
export function CopyPage<Entity>({ noun, query: { data, error, isFetching, refetch }, children, ...page }: CopyProps<Entity>) {
  return (
    <EntityPage {...page} isBlocked={data === undefined && error === null}>
      {data !== undefined && children(data)}
      {data === undefined && error !== null && (
        <LoadFailure title={`The ${noun} to duplicate could not be loaded`} isRunning={isFetching} onRetry={() => void refetch()}>
          {error.message}
        </LoadFailure>
      )}
    </EntityPage>
  );
}

/** Leads to the form of a new entity that begins with the values of this one. */
export function DuplicateLink({ href }: { href: string }) {
  return (
    <Writes>
      <Button component={AppLink} href={href} size="compact-md" variant="default" leftSection={<IconCopy size={16} aria-hidden />}>
        Duplicate
      </Button>
    </Writes>
  );
}

/** Leads to the history of an entity. */
export function HistoryLink({ href }: { href: string }) {
  return (
    <Button component={AppLink} href={href} size="compact-md" variant="default" leftSection={<IconHistory size={16} aria-hidden />}>
      History
    </Button>
  );
}

/** How an entity is loaded and cached. */
export type EntityQuery<Entity> = {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<Entity>;
  readonly staleTime: number;
  readonly gcTime: number;
};

type LoadedProps<Entity> = Pick<PageProps, 'listTitle' | 'listPath'> & {
  noun: string;
  /** The query of the entity with an id. */
  query: (id: number) => EntityQuery<Entity>;
  /** Links and buttons of the entity beside the heading. */
  renderActions?: (entity: Entity) => ReactNode;
  /** Whether something else that the page needs is being loaded. */
  isWaiting?: boolean;
  /** The content of the page. */
  children: (entity: Entity) => ReactNode;
};

type Named = { readonly name: string };

/**
 * The page of the entity that the address names, once it is loaded. If it cannot be loaded, says why and goes back one page,
 * or to the list. One that is deleted meanwhile stays until its unsaved input is saved elsewhere or discarded.
 */
export function LoadedEntity<Entity extends Named>(props: LoadedProps<Entity>) {
  const id = useIdParam();
  // The key gives every entity a form of its own.
  return id === null ? <Unavailable {...props} error={null} /> : <LoadedById key={id} {...props} id={id} />;
}

function LoadedById<Entity extends Named>({ id, isWaiting = false, ...props }: LoadedProps<Entity> & { id: number }) {
  const { data, error } = useQuery(props.query(id));
  const holdsInput = useHoldsInput();
  const isSignedOut = error instanceof CallError && error.status === 401;
  if (error !== null && !isSignedOut && (data === undefined || (isMissing(error) && !holdsInput)))
    return <Unavailable {...props} error={error} />;
  const { listTitle, listPath, renderActions, children } = props;
  if (data === undefined || isWaiting) return <EntityPage listTitle={listTitle} listPath={listPath} isBlocked />;
  return (
    <EntityPage listTitle={listTitle} listPath={listPath} name={data.name} actions={renderActions?.(data)}>
      {children(data)}
    </EntityPage>
  );
}

function isMissing(error: Error): boolean {
  return error instanceof CallError && error.status === 404;
}

type UnavailableProps = Pick<LoadedProps<never>, 'noun' | 'listTitle' | 'listPath'> & {
  /** Null if the address names no entity. */
  error: Error | null;
};

function Unavailable({ noun, listTitle, listPath, error }: UnavailableProps) {
  const goBack = useGoBack();
  const leave = useEffectEvent(() => {
    // The error policy has reported every other failure.
    if (error === null || isMissing(error)) notify({ type: 'danger', message: `There is no such ${noun}` });
    else if (isForbidden(error)) notify({ type: 'danger', message: `You do not have access to this ${noun}` });
    goBack(listPath);
  });
  useEffect(() => leave(), []);
  return <EntityPage listTitle={listTitle} listPath={listPath} isBlocked />;
}

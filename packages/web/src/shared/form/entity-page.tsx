import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { CallError, isForbidden } from '../api/call-error.ts';
import { useGoBack, useIdParam, useRouteTitle } from '../navigation.tsx';
import { Page } from '../page/page.tsx';
import { notify } from '../ui/notifications/notification-center.ts';

type PageProps = {
  /** Title and path of the list that the entity belongs to. */
  listTitle: string;
  listPath: string;
  /** The name of an existing entity once it is loaded. */
  name?: string;
  children: ReactNode;
};

/** The page that creates or edits an entity, with the way back to its list. */
export function EntityPage({ listTitle, listPath, name, children }: PageProps) {
  const title = useRouteTitle();
  const crumb = name === undefined ? title : `${title}: ${name}`;
  return (
    <Page title={listTitle} titleHref={listPath} documentTitle={title} crumbs={[{ label: crumb }]}>
      {children}
    </Page>
  );
}

/** How an entity is loaded and cached. */
export type EntityQuery<Entity> = {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<Entity>;
  readonly staleTime: number;
  readonly gcTime: number;
};

type LoadedProps<Entity> = {
  noun: string;
  listPath: string;
  /** The query of the entity with an id. */
  query: (id: number) => EntityQuery<Entity>;
  loading: ReactNode;
  children: (entity: Entity) => ReactNode;
};

/** Loads the entity that the address names. If it cannot be loaded, says why and goes back one page, or to the list. */
export function LoadedEntity<Entity>(props: LoadedProps<Entity>) {
  const id = useIdParam();
  // The key gives every entity a form of its own.
  return id === null ? <Unavailable {...props} error={null} /> : <LoadedById key={id} {...props} id={id} />;
}

function LoadedById<Entity>({ id, ...props }: LoadedProps<Entity> & { id: number }) {
  const { data, error } = useQuery(props.query(id));
  if (error !== null && (data === undefined || isMissing(error))) {
    // After a 401 the login page opens.
    return error instanceof CallError && error.status === 401 ? props.loading : <Unavailable {...props} error={error} />;
  }
  return data === undefined ? props.loading : props.children(data);
}

function isMissing(error: Error): boolean {
  return error instanceof CallError && error.status === 404;
}

type UnavailableProps = Pick<LoadedProps<never>, 'noun' | 'listPath' | 'loading'> & {
  /** Null if the address names no entity. */
  error: Error | null;
};

function Unavailable({ noun, listPath, loading, error }: UnavailableProps) {
  const goBack = useGoBack();
  const leave = useEffectEvent(() => {
    // The error policy has reported every other failure.
    if (error === null || isMissing(error)) notify({ type: 'danger', message: `There is no such ${noun}` });
    else if (isForbidden(error)) notify({ type: 'danger', message: `You do not have access to this ${noun}` });
    goBack(listPath);
  });
  useEffect(() => leave(), []);
  return loading;
}

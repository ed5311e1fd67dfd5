import { Center, Loader, Button } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useRouteTitle } from '../shared/navigation.tsx';
import { useDocumentTitle } from '../shared/page/use-document-title.ts';
import { StatePanel } from '../shared/ui/state-panel.tsx';

/** A spinner while the code or data of a page loads. */
export function PageLoading() {
  return (
    <Center component="output" mih="50dvh" aria-label="Loading">
      <Loader size="sm" />
    </Center>
  );
}

/** The spinner of a page that opens. Its title is in the tab already, not that of the page before. */
export function PagePending() {
  useDocumentTitle(useRouteTitle());
  return <PageLoading />;
}

/** Replaces a page that threw an error, within the layout. */
export function CrashPage({ reset }: ErrorComponentProps) {
  useDocumentTitle(useRouteTitle());
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <StatePanel
      icon={IconAlertTriangle}
      title="This page could not be shown"
      tone="danger"
      order={1}
      action={<Button onClick={retry}>Try again</Button>}
    >
      An unexpected error occurred. Your data is not affected.
    </StatePanel>
  );
}

/** Replaces a page that threw an error, without the layout. */
export function BareCrashPage(props: ErrorComponentProps) {
  return (
    <main>
      <CrashPage {...props} />
    </main>
  );
}

/** Shown when the console's settings could not be loaded; nothing else works then. */
export function FailedStart({ onRetry }: { onRetry: () => void }) {
  return (
    <main>
      <StatePanel
        icon={IconPlugConnectedX}
        title="The console cannot be reached"
        tone="danger"
        order={1}
        action={<Button onClick={onRetry}>Try again</Button>}
      >
        The server did not answer. It may be restarting. This page opens automatically when the server responds.
      </StatePanel>
    </main>
  );
}

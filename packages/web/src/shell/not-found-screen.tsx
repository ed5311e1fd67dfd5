import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { AppLink } from '../shared/navigation.tsx';
import { useDocumentTitle } from '../shared/page/use-document-title.ts';
import { paths } from '../shared/paths.ts';
import { useSessionPhase } from '../shared/session/use-session.ts';
import { StatePanel } from '../shared/ui/state-panel.tsx';
import { LayoutFrame } from './layout.tsx';

function NotFoundPage() {
  useDocumentTitle('Page not found');
  return (
    <StatePanel
      icon={IconMapOff}
      title="Page not found"
      order={1}
      action={
        <Button component={AppLink} href={paths.home()}>
          Go home
        </Button>
      }
    >
      404. There is no page at this address. It may be mistyped or out of date.
    </StatePanel>
  );
}

/** The 404 page, also for guests. Signed-in users see it within the layout. */
export function NotFoundScreen() {
  const isSignedIn = useSessionPhase() === 'live';
  if (isSignedIn) {
    return (
      <LayoutFrame>
        <NotFoundPage />
      </LayoutFrame>
    );
  }
  return (
    <main>
      <NotFoundPage />
    </main>
  );
}

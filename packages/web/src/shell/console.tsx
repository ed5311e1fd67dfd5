import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../shared/api/query-client.ts';
import { localSettings, onOtherTabChange } from '../shared/local-settings.ts';
import { NotificationStacks } from '../shared/ui/notifications/notifications.tsx';
import { colorSchemeManager, kitSetup } from '../shared/ui/theme/theme.ts';
import { ConnectionNotice, RecoveryWatch } from './connection-notice.tsx';
import { ConsoleStart } from './console-start.tsx';
import { router } from './router.tsx';
import { requestCounter } from '../shared/api/connection.ts';
import { useStore } from '../shared/external-store.ts';
import classes from './console.module.css';

const schemeManager = colorSchemeManager(localSettings.theme, onOtherTabChange);

/** The root component: theme, server state, notifications, and the router after a successful start. */
export function Console() {
  return (
    <MantineProvider {...kitSetup} colorSchemeManager={schemeManager} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <LoadingBar />
        <ConsoleStart />
        <RecoveryWatch />
        <ConnectionNotice />
        <NotificationStacks onOpen={(href) => void router.navigate({ href })} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The thin bar at the top while at least one counted call runs. */
function LoadingBar() {
  const isActive = useStore(requestCounter) > 0;
  return <div className={classes['bar']} data-active={isActive || undefined} data-testid="loading-bar" aria-hidden />;
}

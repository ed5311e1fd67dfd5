import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../shared/api/query-client.ts';
import { localSettings, onOtherTabChange } from '../shared/local-settings.ts';
import { ConfirmHost } from '../shared/ui/confirm.tsx';
import { NotificationStacks } from '../shared/ui/notifications/notification-stacks.tsx';
import { colorSchemeManager, cssVariablesResolver, theme } from '../shared/ui/theme/theme.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { ConsoleStart } from './console-start.tsx';
import { LoadingBar } from './loading-bar.tsx';
import { RecoveryWatch } from './recovery-watch.tsx';
import { router } from './router.tsx';

const schemeManager = colorSchemeManager(localSettings.theme, onOtherTabChange);

/** The whole console: theme, server state, notifications, prompts, and the router once the start has succeeded. */
export function Console() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} colorSchemeManager={schemeManager} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <LoadingBar />
        <ConsoleStart />
        <RecoveryWatch />
        <ConfirmHost />
        <ConnectionNotice />
        <NotificationStacks onOpen={(href) => void router.navigate({ href })} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { PropsWithChildren, ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { queryClient } from '../shared/api/query-client.ts';
import { kitSetup } from '../shared/ui/theme/theme.ts';

type Options = { theme?: 'light' | 'dark' };

/** Renders a widget alone, with the theme, the styles and the cache of the console, also when it is rendered again. */
export function renderWidget(widget: ReactNode, options: Options = {}) {
  return render(widget, {
    wrapper: ({ children }: PropsWithChildren) => (
      <MantineProvider {...kitSetup} forceColorScheme={options.theme ?? 'light'}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </MantineProvider>
    ),
  });
}

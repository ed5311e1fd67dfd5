import { MantineProvider } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { cssVariablesResolver, theme } from '../shared/ui/theme/theme.ts';

type Options = { theme?: 'light' | 'dark' };

/** Renders a widget alone, with the theme and styles of the console, also when it is rendered again. */
export function renderWidget(widget: ReactNode, options: Options = {}) {
  return render(widget, {
    wrapper: ({ children }: PropsWithChildren) => (
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} forceColorScheme={options.theme ?? 'light'}>
        {children}
      </MantineProvider>
    ),
  });
}

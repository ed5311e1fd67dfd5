import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { cssVariablesResolver, theme } from '../shared/ui/theme/theme.ts';

type Options = { theme?: 'light' | 'dark' };

/** Renders a widget alone, with the theme and styles of the console. */
export function renderWidget(widget: ReactNode, options: Options = {}) {
  return render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} forceColorScheme={options.theme ?? 'light'}>
      {widget}
    </MantineProvider>,
  );
}

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { render } from 'vitest-browser-react';
import { cssVariablesResolver, theme } from '../shared/ui/theme/theme.ts';

type Options = { theme?: 'light' | 'dark' };

/** Shows a widget on a page of its own, with the console's theme and styles around it. */
export function renderWidget(widget: ReactNode, options: Options = {}) {
  return render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} forceColorScheme={options.theme ?? 'light'}>
      {widget}
    </MantineProvider>,
  );
}

import { logLevels } from '@switchyard/contract/log-viewer';
import { describe, expect, it } from 'vitest';
import { renderWidget } from '../../testing/render-widget.tsx';
import { LogLevelIcon } from './log-level-icon.tsx';

describe.each(['light', 'dark'] as const)('log levels in the %s theme', (theme) => {
  it('[WID-072] each have an icon and a colour of their own', async () => {
    expect(logLevels).toEqual(['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug']);
    const { container } = await renderWidget(
      logLevels.map((level) => <LogLevelIcon key={level} level={level} />),
      { theme },
    );
    const icons = [...container.querySelectorAll('[data-level]')];
    expect(new Set(icons.map((icon) => icon.querySelector('svg')?.innerHTML)).size).toBe(8);
    expect(new Set(icons.map((icon) => getComputedStyle(icon).color)).size).toBe(8);
    expect(icons.map((icon) => icon.textContent)).toEqual([...logLevels]);
  });
});

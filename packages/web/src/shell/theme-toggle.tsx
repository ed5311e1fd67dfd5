import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';

/** Switches between the light and the dark theme; the choice is kept on the device (SHELL-016, SHELL-017). */
export function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const label = isDark ? 'Switch to light theme' : 'Switch to dark theme';
  const ThemeIcon = isDark ? IconSun : IconMoon;
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="neutral" size={32} aria-label={label} onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
        <ThemeIcon size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

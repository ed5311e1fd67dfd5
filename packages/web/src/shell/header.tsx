import { ActionIcon, Badge, Button, Kbd, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMenu2, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { AppLink } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { useSettings } from '../shared/settings.ts';
import { Wordmark } from '../shared/ui/wordmark.tsx';
import { AccountMenu } from './account-menu.tsx';
import classes from './header.module.css';
import { ServerClock } from './server-clock.tsx';
import { commandKey, openPalette } from './shortcuts/use-shortcuts.ts';
import { versionTone } from './version-tone.ts';

type HeaderProps = { isMenuOpen: boolean; onToggleMenu: () => void; isDrawerOpen: boolean; onOpenDrawer: () => void };

/** Menu toggles, product name and version, server time, theme and account. */
export function Header({ isMenuOpen, onToggleMenu, isDrawerOpen, onOpenDrawer }: HeaderProps) {
  const { productName, version } = useSettings();
  const menuLabel = isMenuOpen ? 'Close menu' : 'Open menu';
  const MenuIcon = isMenuOpen ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand;
  return (
    <div className={classes['bar']}>
      <div className={classes['desktop']}>
        <Tooltip label={menuLabel} position="bottom-start">
          <ActionIcon variant="subtle" color="neutral" size={40} aria-label={menuLabel} aria-expanded={isMenuOpen} onClick={onToggleMenu}>
            <MenuIcon size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes['mobile']}>
        <ActionIcon
          variant="subtle"
          color="neutral"
          size={40}
          aria-label="Open navigation"
          aria-expanded={isDrawerOpen}
          onClick={onOpenDrawer}
        >
          <IconMenu2 size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </div>
      <AppLink href={paths.home()} className={classes['brand'] ?? ''}>
        <Wordmark productName={productName} />
      </AppLink>
      <Badge color={versionTone(version)} data-testid="version" data-tone={versionTone(version)}>
        {version}
      </Badge>
      <div className={classes['spacer']} />
      <SearchButton />
      <ServerClock className={classes['time'] ?? ''} />
      <ThemeToggle />
      <AccountMenu />
    </div>
  );
}

/** Opens the command palette. */
function SearchButton() {
  return (
    <>
      <Button
        className={classes['search'] ?? ''}
        variant="default"
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<Kbd size="xs">{commandKey} K</Kbd>}
        title="Find anything"
        onClick={openPalette}
      >
        Find
      </Button>
      <ActionIcon
        className={classes['searchIcon'] ?? ''}
        variant="subtle"
        color="neutral"
        size={32}
        aria-label="Find anything"
        onClick={openPalette}
      >
        <IconSearch size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </>
  );
}

/** Switches between the light and the dark theme; the choice is stored on the device. */
function ThemeToggle() {
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

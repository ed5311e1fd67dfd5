import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useOpenPath, usePagePath, useQueryText } from '../navigation.tsx';
import { parseSearch, stringifySearch } from '../search-codec.ts';
import { areTabNames, openingTab, checkTabNames } from './tab-names.ts';
import { Tabs as KitTabs } from '@mantine/core';

type RouteTabsProps = {
  /** Only the tabs that the account may open, in their order. */
  names: readonly string[];
  /** Names the row of tabs for assistive technology. */
  label: string;
  children: (name: string) => ReactNode;
};

/**
 * Tabs whose selection is `startTabName` in the address. It is written on mount and on every change by replacing the
 * current history entry, so going back leaves the page. An unknown or forbidden name selects the first tab.
 */
export function RouteTabs({ names, label, children }: RouteTabsProps) {
  const path = usePagePath();
  const query = parseSearch(useQueryText());
  const openPath = useOpenPath();
  const parameter = query['startTabName'];
  const wantedTab = typeof parameter === 'string' ? parameter : undefined;
  const open = areTabNames(names) ? openingTab(names, wantedTab) : undefined;

  const write = useEffectEvent((name: string) =>
    openPath(`${path}${stringifySearch({ ...query, startTabName: name })}`, { replace: true }),
  );
  useEffect(() => {
    if (open !== undefined && open !== wantedTab) write(open);
  }, [open, wantedTab]);

  // Lists of different tabs share parameter names, so a tab opens without the parameters of the previous one.
  const select = (name: string): void => openPath(`${path}${stringifySearch({ startTabName: name })}`, { replace: true });
  return (
    <Tabs names={names} current={open} onSelect={select} label={label}>
      {children}
    </Tabs>
  );
}

type TabsProps = {
  /** Names of the tabs, in their order; only those the account may open. */
  names: readonly string[];
  /** The tab that is open; the first when it is none of them. */
  current: string | undefined;
  onSelect: (name: string) => void;
  /** Names the row of tabs for assistive technology. */
  label: string;
  /** Content of the open tab; the others are not mounted. */
  children: (name: string) => ReactNode;
};

/** Tabs with one open. Invalid names show nothing and report the error. */
function Tabs({ names, current, onSelect, label, children }: TabsProps) {
  const areValid = areTabNames(names);
  useEffect(() => {
    if (!areValid) reportInvalidNames(names);
  }, [areValid, names]);
  if (!areValid) return null;

  const open = openingTab(names, current);
  // The kit builds ids from the values, and ids cannot contain spaces.
  const valueOf = (name: string): string => String(names.indexOf(name));
  const select = (value: string | null): void => {
    const name = names.find((other) => valueOf(other) === value);
    if (name !== undefined) onSelect(name);
  };
  return (
    <KitTabs value={valueOf(open)} onChange={select} keepMounted={false}>
      <KitTabs.List aria-label={label}>
        {names.map((name) => (
          <KitTabs.Tab key={name} value={valueOf(name)}>
            {name}
          </KitTabs.Tab>
        ))}
      </KitTabs.List>
      {names.map((name) => (
        <KitTabs.Panel key={name} value={valueOf(name)} pt="md">
          {name === open && children(name)}
        </KitTabs.Panel>
      ))}
    </KitTabs>
  );
}

/** Reports the error to the browser console in development. */
function reportInvalidNames(names: unknown): void {
  if (!import.meta.env.DEV) return;
  try {
    checkTabNames(names);
  } catch (error) {
    reportError(error);
  }
}

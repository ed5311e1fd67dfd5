import { Tabs as KitTabs } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { areTabNames, checkTabNames, openingTab } from './tab-names.ts';

type Props = {
  /** What stands on the tabs, in their order; only those the account may open. */
  names: readonly string[];
  /** The tab that is open; the first when it is none of them. */
  current: string | undefined;
  onSelect: (name: string) => void;
  /** Names the row of tabs for assistive technology. */
  label: string;
  /** What the open tab shows; the others are not mounted. */
  children: (name: string) => ReactNode;
};

/** Tabs of which one is open; with names that cannot name tabs nothing is shown and the fault reported (WID-005, AMB-041). */
export function Tabs({ names, current, onSelect, label, children }: Props) {
  const areSound = areTabNames(names);
  useEffect(() => {
    if (!areSound) reportFault(names);
  }, [areSound, names]);
  if (!areSound) return null;

  const open = openingTab(names, current);
  // The kit makes ids of the values, and an id cannot hold the blanks of a name.
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

/** Tells the developer through the browser's own channel for faults, once a mount. */
function reportFault(names: unknown): void {
  if (!import.meta.env.DEV) return;
  try {
    checkTabNames(names);
  } catch (error) {
    reportError(error);
  }
}

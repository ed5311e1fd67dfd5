import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useOpenPath, usePagePath, useQueryText } from '../navigation.tsx';
import { parseSearch, stringifySearch } from '../search-codec.ts';
import { areTabNames, openingTab } from '../ui/tabs/tab-names.ts';
import { Tabs } from '../ui/tabs/tabs.tsx';

type Props = {
  /** Only the tabs that the account may open, in their order. */
  names: readonly string[];
  /** Names the row of tabs for assistive technology. */
  label: string;
  children: (name: string) => ReactNode;
};

/**
 * Tabs whose open one is `startTabName` in the address. It is written there on mount and on every change, in place of
 * the present entry of the history, so that going back leaves the page (WID-001 to WID-004, AMB-036); an unknown or
 * forbidden name becomes the first tab's (AMB-037).
 */
export function RouteTabs({ names, label, children }: Props) {
  const path = usePagePath();
  const query = parseSearch(useQueryText());
  const openPath = useOpenPath();
  const asked = query['startTabName'];
  const wanted = typeof asked === 'string' ? asked : undefined;
  const open = areTabNames(names) ? openingTab(names, wanted) : undefined;

  const write = useEffectEvent((name: string) =>
    openPath(`${path}${stringifySearch({ ...query, startTabName: name })}`, { replace: true }),
  );
  useEffect(() => {
    if (open !== undefined && open !== wanted) write(open);
  }, [open, wanted]);

  // Lists of different tabs share the names of their parameters, so a tab begins without those of the one before.
  const select = (name: string): void => openPath(`${path}${stringifySearch({ startTabName: name })}`, { replace: true });
  return (
    <Tabs names={names} current={open} onSelect={select} label={label}>
      {children}
    </Tabs>
  );
}

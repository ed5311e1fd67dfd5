import { useEffect, useEffectEvent, useState } from 'react';
import { changeListQuery, parseListQuery, type ListSchema } from '../listing/list-query.ts';
import { localSettings } from '../local-settings.ts';
import { useOpenPath, usePagePath, useQueryText } from '../navigation.tsx';
import { stringifySearch } from '../search-codec.ts';

/**
 * Puts the start date kept on this device into the address when a list of requests opens without one, so that it takes
 * effect at once and shows among the filters (REQ-032, AMB-127, AMB-128). True when the address is settled.
 */
export function useStoredStartDate(schema: ListSchema): boolean {
  const search = useQueryText();
  const path = usePagePath();
  const openPath = useOpenPath();
  const hasStart = parseListQuery(schema, search)['startDate'] !== undefined;
  const [stored] = useState(() => localSettings.startDate.get());
  const [isSettled, setSettled] = useState(stored === null || hasStart);
  if (!isSettled && hasStart) setSettled(true);
  const settle = useEffectEvent(() => {
    if (isSettled || stored === null) return;
    openPath(`${path}${stringifySearch(changeListQuery(schema, search, { startDate: stored }))}`, { replace: true });
  });
  useEffect(() => settle(), []);
  return isSettled;
}

/** Whoever takes the start date out of the filters wants the older rows back, here and elsewhere (AMB-127, O17). */
export function useForgottenStartDate(startDate: string | undefined): void {
  const hasStart = startDate !== undefined;
  useEffect(() => {
    if (!hasStart) localSettings.startDate.remove();
  }, [hasStart]);
}

import { allRequestsQuery } from '@switchyard/contract/all-requests';
import { useEffect, useEffectEvent, useState } from 'react';
import { changeListQuery, parseListQuery } from '../../shared/listing/list-query.ts';
import { localSettings } from '../../shared/local-settings.ts';
import { useOpenPath, useQueryText } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';

/**
 * Puts the start date kept on this device into the address when the page opens without one, so that it takes effect at
 * once and shows among the filters (REQ-032, AMB-128). True when the address is settled.
 */
export function useStoredStartDate(): boolean {
  const search = useQueryText();
  const openPath = useOpenPath();
  const hasStart = parseListQuery(allRequestsQuery, search).startDate !== undefined;
  const [stored] = useState(() => localSettings.startDate.get());
  const [isSettled, setSettled] = useState(stored === null || hasStart);
  if (!isSettled && hasStart) setSettled(true);
  const settle = useEffectEvent(() => {
    if (isSettled || stored === null) return;
    openPath(paths.requests(changeListQuery(allRequestsQuery, search, { startDate: stored })), { replace: true });
  });
  useEffect(() => settle(), []);
  return isSettled;
}

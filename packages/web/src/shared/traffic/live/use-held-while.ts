import { useEffect, useEffectEvent } from 'react';
import type { LiveRequests } from './use-live-requests.ts';

/** Holds the rows of a live list still while a row is open beside it: what is being read must not move. */
export function useHeldWhile({ hold }: Pick<LiveRequests<never>, 'hold'>, isOpen: boolean): void {
  const follow = useEffectEvent(hold);
  useEffect(() => follow('panel', isOpen), [isOpen]);
}

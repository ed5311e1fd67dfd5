import { useEffect, useRef, type RefObject } from 'react';

/**
 * The row of a server takes the keyboard that its buttons let go: each of them is disabled while a call runs, and Create and
 * Remove go with the group that the server leaves. Elsewhere the keyboard is left where it is.
 */
export function useRowOfAction({ isActedOn, isBusy }: { isActedOn: boolean; isBusy: boolean }): RefObject<HTMLLIElement | null> {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const { activeElement, body } = document;
    if (isActedOn && !isBusy && (activeElement === body || activeElement?.matches(':disabled') === true)) row.current?.focus();
  }, [isActedOn, isBusy]);
  return row;
}

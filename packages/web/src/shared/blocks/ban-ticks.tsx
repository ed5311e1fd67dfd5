import { lazy, Suspense } from 'react';
import type { TickBansProps, TickedBans } from './tick-bans.tsx';

const TickBans = lazy(() => import('./tick-bans.tsx'));
/** What a card shows before the bans are loaded, or for readers who may not ban. */
export const noBans: TickedBans = { button: null, bar: null, boxOf: () => undefined };

/** `TickBans`, loaded after the values that it is for: their pages are the heaviest ones. */
export function BanTicks(props: TickBansProps) {
  return (
    <Suspense fallback={props.children(noBans)}>
      <TickBans {...props} />
    </Suspense>
  );
}

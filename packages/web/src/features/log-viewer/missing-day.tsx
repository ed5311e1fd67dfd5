import { useEffect, useEffectEvent } from 'react';
import { useOpenPath } from '../../shared/navigation.tsx';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import type { LogSource } from './log-source.ts';

type Props = { source: Pick<LogSource, 'listPath'>; /** Null when what stands in the address is no day. */ date: string | null };

/** There is no such day, or no longer: says so and goes back to the list (AMB-217). */
export function MissingDay({ source, date }: Props) {
  const openPath = useOpenPath();
  const leave = useEffectEvent(() => {
    notify({ type: 'warning', message: `There is no log of ${date ?? 'this day'}` });
    openPath(source.listPath(), { replace: true });
  });
  useEffect(() => leave(), []);
  return null;
}

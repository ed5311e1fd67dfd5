import { endOtherSessions, listOwnSessions } from '@switchyard/contract/own-sessions';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';

/** Cache key of the own sessions. */
export const ownSessionsKey = ['own-sessions'];

/** Ends every session except the current one. */
export async function endOthers(): Promise<void> {
  await call(endOtherSessions);
  notify({ type: 'success', message: 'All other sessions have ended' });
}

/** Gives a function that offers to end the other sessions, if there are any: after a change of how the account signs in. */
export function useOfferToEndOthers(): () => void {
  const client = useQueryClient();
  return () => void offer(client);
}

async function offer(client: QueryClient): Promise<void> {
  const reload = (): void => void client.invalidateQueries({ queryKey: ownSessionsKey });
  // When the list cannot be loaded, there may be others.
  const sessions = await call(listOwnSessions, { isSilent: true }).catch(() => null);
  const others = sessions?.data.filter(({ current }) => !current).length;
  if (others === 0) return;
  const where =
    others === undefined
      ? 'may still be signed in elsewhere'
      : `are still signed in at ${others} other ${others === 1 ? 'place' : 'places'}`;
  notify({
    message: `You ${where}. Changed second factors end no sessions`,
    key: 'other-sessions',
    closesByItself: false,
    // The error policy shows a failed call.
    button: { label: 'End other sessions', press: () => void endOthers().then(reload, () => undefined) },
  });
}

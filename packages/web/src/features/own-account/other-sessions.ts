import { endOtherSessions, listOwnSessions } from '@switchyard/contract/own-sessions';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { askConfirm } from '../../shared/ui/confirm.tsx';
import { closeNotificationOf, notify } from '../../shared/ui/notifications/notification-center.ts';

/** Cache key of the own sessions. */
export const ownSessionsKey = ['own-sessions'];

const othersNotice = 'other-sessions';

/** Closes the offer to end the other sessions, whose number has changed. */
export function closeOffer(): void {
  closeNotificationOf(othersNotice);
}

/** Ends every session except the current one, and with `revokesTokens` the user's API tokens. */
export async function endOthers(revokesTokens: boolean): Promise<void> {
  await call(endOtherSessions, { body: { revoke_tokens: revokesTokens } });
  closeOffer();
  notify({ type: 'success', message: `All other sessions have ended${revokesTokens ? ', and your API tokens are revoked' : ''}` });
}

/** The choice beside ending other sessions and changing the password. */
export const revokeTokensLabel = 'Also revoke my API tokens';

/** Asks before ending the other sessions; `count` is their number, null where it is unknown. */
export function askToEndOthers(count: number | null, end: (revokesTokens: boolean) => Promise<void>): void {
  const where =
    count === null ? 'may be signed in elsewhere' : `is signed in at ${count === 1 ? 'one other place' : `${count} other places`}`;
  askConfirm({
    title: 'End all other sessions?',
    lines: [`Your account ${where}. Anybody who uses it there must sign in again.`, 'You stay signed in here.'],
    option: revokeTokensLabel,
    isDangerous: true,
    action: end,
  });
}

/** Gives a function that offers to end the other sessions, if there are any: after a change of how the account signs in. */
export function useOfferToEndOthers(): () => void {
  const client = useQueryClient();
  return () => void offer(client);
}

async function offer(client: QueryClient): Promise<void> {
  const reload = (): void => void client.invalidateQueries({ queryKey: ownSessionsKey });
  // The list on the page shows the same answer. When it cannot be loaded, there may be others.
  const sessions = await client
    .fetchQuery({ queryKey: ownSessionsKey, queryFn: async () => call(listOwnSessions), staleTime: 0 })
    .catch(() => null);
  const others = sessions?.data.filter(({ current }) => !current).length;
  if (others === 0) return;
  const where =
    others === undefined
      ? 'may still be signed in elsewhere'
      : `are still signed in at ${others} other ${others === 1 ? 'place' : 'places'}`;
  notify({
    message: `You ${where}. A change of second factors does not sign you out there`,
    key: othersNotice,
    closesByItself: false,
    button: {
      label: 'End other sessions',
      press: () => askToEndOthers(others ?? null, async (revokes) => endOthers(revokes).then(reload)),
    },
  });
}

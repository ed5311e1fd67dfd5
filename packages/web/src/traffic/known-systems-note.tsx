import { getKnownSystems } from '@switchyard/contract/asns';
import { displayDay } from '@switchyard/contract/dates';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../shared/api/call.ts';

/** Milliseconds after which a page asks again how far the job is. */
const reloadAfter = 60_000;

/** Says from which day on requests have their autonomous system, until all have. Shown where requests are selected or grouped by it. */
export function KnownSystemsNote() {
  const { data } = useQuery({
    queryKey: ['known-systems'],
    queryFn: ({ signal }) => call(getKnownSystems, { signal, ...inBackground }),
    staleTime: reloadAfter,
    refetchInterval: ({ state }) => (state.data?.data.known_from === null ? false : reloadAfter),
  });
  if (data === undefined || data.data.known_from === null) return null;
  const { known_from: day, percent, is_running: isRunning } = data.data;
  return (
    <output className="note">
      Autonomous systems are known from {displayDay(day)} on.{' '}
      {isRunning ? `Older requests are still being filled in (${percent} %).` : 'Older requests have none.'}
    </output>
  );
}

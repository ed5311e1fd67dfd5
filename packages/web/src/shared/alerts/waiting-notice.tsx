import { useStore } from '../external-store.ts';
import { groupedNumber } from '../ui/text-format.ts';
import { waitingIncidents } from './critical-incidents.ts';

/** Says that the list of incidents is not complete yet, because one evaluation opens a limited number. */
export function WaitingNotice() {
  const count = useStore(waitingIncidents);
  if (count === 0) return null;
  return (
    <output className="note">
      {count === 1 ? 'Another incident is' : `${groupedNumber(count)} more incidents are`} waiting to be opened, the most severe first. This
      takes a few minutes.
    </output>
  );
}

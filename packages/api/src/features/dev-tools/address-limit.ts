import { LRUCache } from 'lru-cache';
import { tooManyAttempts } from '../../errors.ts';

/** Addresses remembered at once; past that the longest unseen begin anew. */
const rememberedAddresses = 10_000;

/**
 * Counts calls of an address in windows of so many milliseconds and refuses with 429 past the limit (api 0.15). It counts in
 * memory, each process for itself: a call that anybody may make must not cost a write.
 */
export function createAddressLimit({ calls, window, now }: { calls: number; window: number; now: () => Date }): (ip: string) => void {
  const seen = new LRUCache<string, { calls: number; endsAt: number }>({ max: rememberedAddresses });
  return (ip) => {
    const moment = now().getTime();
    const known = seen.get(ip);
    const current = known && known.endsAt > moment ? known : { calls: 0, endsAt: moment + window };
    current.calls += 1;
    seen.set(ip, current);
    if (current.calls > calls) throw tooManyAttempts(Math.max(1, Math.ceil((current.endsAt - moment) / 1000)));
  };
}

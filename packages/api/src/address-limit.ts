import { LRUCache } from 'lru-cache';
import { addressKeys } from './address-keys.ts';
import { tooManyAttempts } from './errors.ts';

/** Addresses remembered at once; past that the longest unseen begin anew. */
const rememberedAddresses = 10_000;

/**
 * Counts calls of an address in windows of so many milliseconds and rejects them with 429 past the limit (api 0.15). It
 * counts in memory, each process for itself: a call that anybody may make must not cost a write.
 */
export function createAddressLimit({ calls, window, now }: { calls: number; window: number; now: () => Date }): (ip: string) => void {
  const seen = new LRUCache<string, { calls: number; endsAt: number }>({ max: rememberedAddresses });

  return (ip) => {
    const moment = now().getTime();
    for (const { key, budget } of addressKeys(ip)) {
      const known = seen.get(key);
      const current = known && known.endsAt > moment ? known : { calls: 0, endsAt: moment + window };
      current.calls += 1;
      seen.set(key, current);
      // Past its own limit a /64 no longer uses up what its /48 has.
      if (current.calls > calls * budget) throw tooManyAttempts(Math.max(1, Math.ceil((current.endsAt - moment) / 1000)));
    }
  };
}

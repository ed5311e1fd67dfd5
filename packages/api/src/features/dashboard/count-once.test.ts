import { expect, it } from 'vitest';
import { noEventCounts } from '@switchyard/traffic-store/grouped-counts';
import type { EventGroups } from '@switchyard/traffic-store/event-store';
import { countOncePerMoment } from './count-once.ts';

it('[DASH-005] counts equal groups of a moment once, those of other apps by themselves, and again after a failure', async () => {
  let time = 10_000;
  const asked: EventGroups[] = [];
  const failures: Error[] = [];
  const { eventStore, now } = countOncePerMoment(
    {
      async countGroups(query) {
        asked.push(query);
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return noEventCounts(query);
      },
    },
    () => new Date(time),
  );
  const ofApps = (scope: 'all' | number[]): EventGroups => ({ filter: { scope }, by: ['day'], limit: 10 });
  const scopes = () => asked.map(({ filter }) => filter.scope);

  await Promise.all([eventStore.countGroups(ofApps('all')), eventStore.countGroups(ofApps('all')), eventStore.countGroups(ofApps([1]))]);
  time += 1999;
  expect(now()).toEqual(new Date(10_000));
  await eventStore.countGroups(ofApps('all'));
  expect(scopes()).toEqual(['all', [1]]);

  time += 1;
  expect(now()).toEqual(new Date(12_000));
  failures.push(new Error('engine is away'));
  await expect(eventStore.countGroups(ofApps('all'))).rejects.toThrow('engine is away');
  await eventStore.countGroups(ofApps('all'));
  await eventStore.countGroups(ofApps('all'));
  expect(scopes()).toEqual(['all', [1], 'all', 'all']);
});

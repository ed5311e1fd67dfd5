import { countryName } from '@switchyard/contract/countries';
import { typeFilterOptions, type PostbackFilters } from '@switchyard/contract/postbacks';
import type { Databases } from '../../database/connect.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { streamsOfApp } from '../streams/streams-lookup.ts';

/**
 * Types, countries and streams that an app's requests may be filtered by (api [28]): countries its requests came from, and
 * its streams, deleted ones left out, with those that nobody has told us of under their uid.
 */
export async function findFilterOptions(
  deps: { db: Databases['db']; trafficStore: Pick<TrafficStore, 'seenValues'> },
  appId: number,
): Promise<Omit<PostbackFilters, 'ip'>> {
  const [seen, streams] = await Promise.all([deps.trafficStore.seenValues(appId), streamsOfApp(deps.db, appId)]);
  const known = new Set(streams.map((stream) => stream.uid));
  const named = streams.filter((stream) => !stream.isDeleted).map(({ name, uid }) => ({ name, uid }));
  const unnamed = seen.streamUids.filter((uid) => !known.has(uid)).map((uid) => ({ name: uid, uid }));
  return {
    type: typeFilterOptions,
    geo: byName(seen.countries.map((code) => ({ name: countryName(code), uid: code }))),
    streamUid: byName([...named, ...unnamed]),
  };
}

function byName(options: PostbackFilters['geo']): PostbackFilters['geo'] {
  return options.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || (a.uid < b.uid ? -1 : 1));
}

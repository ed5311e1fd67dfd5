import { countryName } from '@switchyard/contract/countries';
import { type PostbackFilters, typeFilterOptions } from '@switchyard/contract/postbacks';
import { compareNames } from '@switchyard/contract/text-fields';
import type { Databases } from '../../database/connect.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { streamsOfApp } from '../streams/streams-lookup.ts';

/**
 * Types, countries and streams that an app's requests may be filtered by: countries its requests came from, and its streams that are
 * not deleted; a stream that is not known yet appears under its uid.
 */
export async function readFilterOptions(
  deps: { db: Databases['db']; eventStore: Pick<EventStore, 'findSeenValues'> },
  appId: number,
): Promise<Omit<PostbackFilters, 'ip'>> {
  const [seenValues, streams] = await Promise.all([deps.eventStore.findSeenValues(appId), streamsOfApp(deps.db, appId)]);
  const knownUids = new Set(streams.map((stream) => stream.uid));
  const namedStreams = streams.filter((stream) => !stream.isDeleted).map(({ name, uid }) => ({ name, uid }));
  const unnamedStreams = seenValues.streamUids.filter((uid) => !knownUids.has(uid)).map((uid) => ({ name: uid, uid }));
  return {
    type: typeFilterOptions,
    geo: byName(seenValues.countries.map((code) => ({ name: countryName(code), uid: code }))),
    streamUid: byName([...namedStreams, ...unnamedStreams]),
  };
}

function byName(options: PostbackFilters['geo']): PostbackFilters['geo'] {
  return options.toSorted((a, b) => compareNames(a.name, b.name) || (a.uid < b.uid ? -1 : 1));
}

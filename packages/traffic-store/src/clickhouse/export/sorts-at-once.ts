import { isCounted } from '../../event-filter-rules.ts';
import type { EventFilter } from '../../event-store.ts';
import { mayMatchAll } from '../../list/match-all.ts';
import type { EngineClient } from '../engine-client.ts';
import { countCounted } from '../list/list-by-page.ts';
import { newParameters } from '../statement.ts';

/** Sorted rows are sent when all are read, and a reader must not wait for long. */
const sortableRows = 1_000_000;

/** Sorting takes the engine up to 1.4 times as much memory as the events have bytes, and three downloads run at once. */
const sortableBytes = 2 ** 29;

/** Bytes of an average event, uncompressed, by what the engine knows of its parts. On a cluster, of those of one server. */
const bytesOfEvent = `select intDiv(sum(data_uncompressed_bytes), greatest(sum(rows), 1)) from system.parts
  where active and database = currentDatabase() and table in ('events', 'events_local')`;

/**
 * Whether the engine sorts the matches of a filter at once. Newest first, it reads each block of an app and hour by itself, which takes it
 * up to twice the time; and it writes an hour by one thread, when it has read it whole. False if the number of matches is not known.
 */
export async function sortsAtOnce(engine: Pick<EngineClient, 'lines'>, filter: EventFilter, rows = sortableRows): Promise<boolean> {
  if (!isCounted(filter) && !mayMatchAll(filter)) return false;
  const total = await countCounted(engine, filter);
  if (total < 0 || total > rows) return false;
  const [average = '0'] = await engine.lines({ text: bytesOfEvent, parameters: newParameters() });
  return total * Number(average) <= sortableBytes;
}

import type { RequestOrigin } from '@switchyard/contract/requests';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { createLimiter } from '../../overload/limiter.ts';
import type { StoredEvent } from '@switchyard/traffic-store/event-fields';
import type { TailFrame } from '@switchyard/traffic-store/event-store';
import { findServerLabels } from '../traffic-servers/server-labels-lookup.ts';
import { asnsOf } from './asns-lookup.ts';

/** Rows of a store with their origin, in two statements at once. The store must have been asked for the servers (`origin`). */
export async function addOrigin<Row extends StoredEvent>(
  db: Kysely<Tables>,
  rows: readonly Row[],
): Promise<(Omit<Row, 'server_id'> & RequestOrigin)[]> {
  const [asns, servers] = await Promise.all([
    asnsOf(
      db,
      rows.map(({ ip }) => ip),
    ),
    findServerLabels(
      db,
      rows.flatMap(({ server_id: id }) => id ?? []),
    ),
  ]);
  return rows.map(({ server_id: id, ...row }) => ({ ...row, asn: asns.get(row.ip) ?? null, server: servers.get(id ?? 0) ?? null }));
}

/** Origins of the rows in frames of live streams. Many of them must not take the connections that pages need, so one reads at a time. */
export function createOriginOfFrames(db: Kysely<Tables>) {
  const limiter = createLimiter({ slots: 1 });
  return async function* originOfFrames(frames: AsyncIterable<TailFrame>): AsyncGenerator<TailFrame> {
    for await (const frame of frames) {
      yield frame.kind === 'rows' ? { ...frame, rows: await limiter.run(async () => addOrigin(db, frame.rows)) } : frame;
    }
  };
}

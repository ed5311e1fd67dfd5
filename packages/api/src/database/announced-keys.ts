import type { ProcessConnection } from './process-connection.ts';

/** Tells others which secret keys this process has, until it ends. */
export type AnnounceKeys = (fingerprints: readonly string[]) => Promise<void>;

/** The first part of the locks; those of shared slots are negative, too. */
const kind = -5;

/** The lock by which a process shows that it has a key. Two keys share one about once in two thousand million times. */
export function announcedKeys(fingerprint: string): { kind: number; place: number } {
  return { kind, place: Number.parseInt(fingerprint.slice(0, 8), 16) & 0x7fff_ffff };
}

const lockStatement = 'select pg_advisory_lock_shared($1::int, place) from unnest($2::int[]) as place';

/**
 * Announces keys by shared session locks, which PostgreSQL frees when a process ends in any way. A new connection takes them
 * before anything else.
 */
export function createAnnouncement(connection: Pick<ProcessConnection, 'query' | 'onConnect'>): AnnounceKeys {
  let places: readonly number[] = [];
  connection.onConnect(async (query) => {
    if (places.length > 0) await query(lockStatement, [kind, places]);
  });
  return async (fingerprints) => {
    places = fingerprints.map((fingerprint) => announcedKeys(fingerprint).place);
    await connection.query(lockStatement, [kind, places]);
  };
}

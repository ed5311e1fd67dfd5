import { createEvents } from './0001-events.ts';
import { addExtents } from './0002-extents.ts';
import { addAsns } from './0003-asns.ts';
import { addFill } from './0004-fill.ts';
import { compressSmallBlocks } from './0005-small-blocks.ts';
import { addLongCounts } from './0006-long-counts.ts';
import { cheapenMerges } from './0008-merges.ts';

/**
 * A numbered change of the tables: its statements for one server, or for a cluster by its name. Statements may be repeated (`if not
 * exists`), because the engine has no transactions: a start that was killed runs them again.
 */
export type EngineMigration = (cluster: string | null) => readonly string[];

/**
 * All migrations, oldest first. They contain literals only and never change: a later change of a table is a migration of its own,
 * for one server on `events`, for a cluster on `events_local` and, if the columns change, on `events`. A new projection or index
 * covers existing parts after `materialize`. The name of one that drops something ends with `-needs-NNNN`, as in PostgreSQL.
 * There is no 0007: no release had it, and 0006 makes what it made.
 */
export const engineMigrations: Readonly<Record<string, EngineMigration>> = {
  '0001-events': createEvents,
  '0002-extents': addExtents,
  '0003-asns': addAsns,
  '0004-fill': addFill,
  '0005-small-blocks': compressSmallBlocks,
  '0006-long-counts': addLongCounts,
  '0008-merges': cheapenMerges,
};

import type { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { StartRefused } from '../start-refused.ts';
import { migrations as allMigrations } from './migrations/all-migrations.ts';

/**
 * Brings the schema to the newest version and gives the names of the migrations that ran. Each runs in one transaction
 * of its own under a session lock, so processes that start together wait for each other, and a killed one leaves
 * nothing half done: the next start goes on where it ended (R14).
 * @throws StartRefused when the database was made by a newer Switchyard; the error of a migration as it came.
 */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>> = allMigrations,
): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } });
  const done: string[] = [];
  for (;;) {
    // One step a call: migrateToLatest would put every waiting migration into a single transaction.
    const { error, results } = await migrator.migrateUp();
    if (error !== undefined) throw explained(error);
    const names = results?.filter((result) => result.status === 'Success').map((result) => result.migrationName) ?? [];
    if (names.length === 0) return done;
    done.push(...names);
  }
}

function explained(error: unknown): unknown {
  const unknownOne = error instanceof Error ? /previously executed migration (\S+) is missing/.exec(error.message)?.[1] : undefined;
  return unknownOne === undefined
    ? error
    : new StartRefused(
        `The database was made by a newer Switchyard: it holds the migration ${unknownOne}, which this version does not know.`,
      );
}

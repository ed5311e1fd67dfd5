import { type Kysely, sql } from 'kysely';

/** The lowest further threshold that each incident was announced for, in place of how many: a rule may change while its incident is open. No released version knows the column that goes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table incidents add column announced_further integer, drop column announced_level').execute(db);
}

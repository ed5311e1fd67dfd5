import { type Kysely, sql } from 'kysely';

/**
 * The collation in which lists show names: É beside E, and 2 before 10. A server without ICU keeps byte order. It has no index: sorting
 * 10,000 names takes less than a new version of ICU costs, after which such an index has to be built anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `do $$
begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    create collation natural_order (provider = icu, locale = 'und-u-kn-true');
  else
    create collation natural_order from "C";
  end if;
end $$`,
    )
    .execute(db);
}

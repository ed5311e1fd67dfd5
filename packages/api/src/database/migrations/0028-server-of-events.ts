import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The traffic server that delivered an event; null for events stored before. No row is rewritten. */
export const serverOfEvents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw(column).execute(db);
  },
};

const column = `
do $$
begin
  -- While this waits for a long read to end, such as an export, everybody else waits behind it. So it gives up soon and tries again.
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      alter table events add column server_id integer;
      exit;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end
$$`;

import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/**
 * When an account did anything last: the latest use of a session that is still kept, or its latest entry in the audit
 * trail; UTC text, null when it never did.
 */
export async function findLastActivity(db: Kysely<Tables>, accountId: number): Promise<string | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select greatest(
      (select max(last_used_at) from sessions where account_id = ${accountId}),
      (select at from audit_entries where actor_id = ${accountId} order by id desc limit 1)
    ) as at
  `.execute(db);
  return wireDate(rows[0]?.at ?? null);
}

import { hasFieldLabel } from '@switchyard/contract/audit-fields';
import { sql } from 'kysely';
import type { Databases } from '../src/database/connect.ts';

/** The fields of changes in the trail that have no label, so that Activity would show their raw names. */
export async function listUnlabelledFields({ db }: Databases): Promise<string[]> {
  const { rows } = await sql<{ field: string }>`
    select distinct change ->> 'field' as field from audit_entries cross join jsonb_array_elements(changes) as change
    where change ->> 'field' <> 'via' order by 1
  `.execute(db);
  return rows.map(({ field }) => field).filter((field) => !hasFieldLabel(field));
}

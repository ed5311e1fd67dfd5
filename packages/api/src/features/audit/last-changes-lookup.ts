import type { AuditEntity } from '@switchyard/contract/audit';
import { wireDate } from '@switchyard/contract/dates';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** The last change of an entity, as UTC text; `actor` is null if no account made it. */
export type LastChange = { at: string; actor: { id: number; name: string } | null };

/** The last audit entry on each of these entities, by id; those without an entry are missing. */
export async function findLastChanges(
  db: Kysely<Tables>,
  entity: AuditEntity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LastChange>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; at: Date; actor_id: number | null; name: string | null }>`
    select asked.id, entry.at, entry.actor_id, accounts.name
    from unnest(${ids}::text[]) as asked(id)
    cross join lateral (
      select at, actor_id from audit_entries
      where entity = ${entity} and entity_id = asked.id order by audit_entries.id desc limit 1
    ) as entry
    left join accounts on accounts.id = entry.actor_id
  `.execute(db);
  return new Map(
    rows.map(({ id, at, actor_id: actorId, name }) => [
      id,
      { at: wireDate(at), actor: actorId === null || name === null ? null : { id: actorId, name } },
    ]),
  );
}

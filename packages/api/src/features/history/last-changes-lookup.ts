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

/** When a field of each of these entities was last set to true, as UTC text by id; those without such an entry are missing. */
export async function findLastTurnedOn(
  db: Kysely<Tables>,
  { entity, field, ids }: { entity: AuditEntity; field: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const change = JSON.stringify([{ field, to: true }]);
  const { rows } = await sql<{ id: string; at: Date }>`
    select request.id, entry.at
    from unnest(${ids}::text[]) as request(id)
    cross join lateral (
      select at from audit_entries
      where entity = ${entity} and entity_id = request.id and changes @> ${change}::jsonb order by audit_entries.id desc limit 1
    ) as entry
  `.execute(db);
  return new Map(rows.map(({ id, at }) => [id, wireDate(at)]));
}

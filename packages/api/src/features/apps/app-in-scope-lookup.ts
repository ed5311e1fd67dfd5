import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';

/**
 * Lets calls on one app pass when the app exists, archived or not, and the caller sees it (api 0.11). Throws the refusal
 * 404 otherwise, the same for both, so that nobody learns which apps there are.
 */
export async function requireAppInScope(db: Kysely<Tables>, { id, scope }: { id: number; scope: AppScope }): Promise<void> {
  if (scope !== 'all' && !scope.includes(id)) throw notFound();
  const found = await db.selectFrom('apps').select('id').where('id', '=', id).executeTakeFirst();
  if (!found) throw notFound();
}

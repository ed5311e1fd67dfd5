import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { notFound } from '../../errors.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';

type CallOnApp = { params: { id: number }; caller: { scope: AppScope } };

/**
 * Lets calls on one app pass when the app exists, archived or not, and the caller sees it (api 0.11). Throws the refusal
 * 404 otherwise, the same for both, so that nobody learns which apps there are.
 */
export function appInScope(db: Kysely<Tables>): (call: CallOnApp) => Promise<void> {
  return async ({ params: { id }, caller: { scope } }) => {
    if (scope !== 'all' && !scope.includes(id)) throw notFound();
    const found = await db.selectFrom('apps').select('id').where('id', '=', id).executeTakeFirst();
    if (!found) throw notFound();
  };
}

import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';

type CallOnApp = { params: { id: number }; caller: { scope: AppScope } };

/**
 * Lets calls on one app pass when the app exists, archived or not, and the caller sees it (api 0.11). Throws the refusal
 * 404 otherwise, the same for both, so that nobody learns which apps there are. Every page of an app asks it, so the
 * statement is kept prepared.
 */
export function appInScope({ ui }: Pick<Databases['pools'], 'ui'>): (call: CallOnApp) => Promise<void> {
  return async ({ params: { id }, caller: { scope } }) => {
    if (scope !== 'all' && !scope.includes(id)) throw notFound();
    const { rows } = await ui.query({ name: 'app-in-scope', text: 'select from apps where id = $1::integer', values: [id] });
    if (rows.length === 0) throw notFound();
  };
}

import { randomBytes } from 'node:crypto';
import type { Databases } from '../src/database/connect.ts';

/** A form that creates an app: only what must be there, named at random. */
export function newAppForm(fields: Readonly<Record<string, unknown>> = {}) {
  const tag = randomBytes(5).toString('hex');
  return { name: `App ${tag}`, bundle: `com.test.${tag}`, domain: `${tag}.example`, vertical: 'bet', ...fields };
}

/** Entries of the trail about an app, oldest first. */
export async function trailOfApp({ db }: Pick<Databases, 'db'>, id: number) {
  return db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'entity_label', 'app_id', 'changes'])
    .where('entity', '=', 'app')
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();
}

/** Version of an account, which counts changes of its set of apps. */
export async function accountVersion({ db }: Pick<Databases, 'db'>, id: number): Promise<number> {
  return (await db.selectFrom('accounts').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
}

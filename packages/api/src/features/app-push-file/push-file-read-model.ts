import { describePushFile, type PushFileDescription } from '@switchyard/contract/app-push-file';
import { sql } from 'kysely';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import { isInScope } from '../../database/sql-conditions.ts';
import { notFound } from '../../errors.ts';

/** Describes the stored push file of an app; null without a file that can be decrypted. Throws 404 outside the scope. */
export async function findPushFileDescription(
  { db, readSecret }: { db: Databases['db']; readSecret: ReadSecret },
  id: number,
  scope: AppScope,
): Promise<PushFileDescription | null> {
  const { rows } = await sql<{ sealed: string | null }>`
    select push_file_sealed as sealed from apps where id = ${id} and ${isInScope('id', scope)}
  `.execute(db);
  const [app] = rows;
  if (!app) throw notFound();
  const content = app.sealed === null ? null : readSecret(app.sealed, { table: 'apps', column: 'push_file_sealed', id });
  return content === null ? null : describePushFile(content);
}

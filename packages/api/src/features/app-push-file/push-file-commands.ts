import { linkMessages } from '@switchyard/contract/app-domains';
import { readPushFile, type PushFileSettings, type savePushFile as saveCall } from '@switchyard/contract/app-push-file';
import { wireDate } from '@switchyard/contract/dates';
import type { Databases } from '../../database/connect.ts';
import { conflict, notFound, type HttpError } from '../../errors.ts';
import type { Call } from '../../http/bind.ts';
import { changesBetween, recordAudit, secretChange, transaction } from '../../database/transaction.ts';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { SealSecret } from '../../secret-keys/seal-secret.ts';
import { lockApp, updatePushFile, type PushFileApp } from './push-file-store.ts';

export type PushFileDependencies = { db: Databases['db']; sealSecret: SealSecret; readSecret: ReadSecret; now: () => Date };

/**
 * Replaces an app's push file, which is stored sealed. The response has its name and project; the file itself is never sent
 * to anybody, and the audit trail only says that it changed.
 */
export async function savePushFile(
  deps: PushFileDependencies,
  { body, caller, request }: Call<typeof saveCall>,
): Promise<PushFileSettings> {
  const { appId, configuration } = body.fields;
  const file = configuration && readPushFile(configuration);
  const errors: Record<string, string> = typeof file === 'string' ? { configuration: file } : {};
  if (appId === undefined) body.validate(errors);

  return transaction(deps.db, async (tx) => {
    const app = await lockApp(tx, appId ?? 0, caller.scope);
    const rejection = rejectionOf(app);
    // Errors of the form's shape come before those of the app, errors of the file after.
    body.validate(rejection ? {} : errors);
    if (rejection) throw rejection;
    if (!app || file === undefined || typeof file === 'string') throw new Error('A form without app or file passed validation');
    const at = deps.now();
    await updatePushFile(tx, app.id, {
      push_file_sealed: await deps.sealSecret(tx, file.content, { table: 'apps', column: 'push_file_sealed', id: app.id }),
      push_file_name: file.fileName,
      push_file_project: file.projectId,
      push_file_at: at,
    });
    const before = { fileName: app.push_file_name, projectId: app.push_file_project };
    const changes = [secretChange('configuration'), ...changesBetween(before, { fileName: file.fileName, projectId: file.projectId })];
    const names = { actor: caller.account, entity: 'firebase', id: app.id, label: app.name, appId: app.id, request } as const;
    return recordAudit(
      tx,
      { ...names, action: 'upload', changes },
      { fileName: file.fileName, projectId: file.projectId, updated_at: wireDate(at) },
    );
  });
}

function rejectionOf(app: PushFileApp | undefined): HttpError | null {
  if (!app) return notFound();
  return app.deleted_at === null ? null : conflict(linkMessages.archived);
}

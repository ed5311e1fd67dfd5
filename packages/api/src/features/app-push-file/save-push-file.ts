import { linkMessages } from '@switchyard/contract/app-domains';
import { readPushFile, type PushFileSettings, type UploadedFile } from '@switchyard/contract/app-push-file';
import { wireDate } from '@switchyard/contract/dates';
import type { SecretBox } from '../../adapters/secret-box.ts';
import type { Databases } from '../../database/connect.ts';
import { conflict, notFound, type Refusal } from '../../errors.ts';
import type { AccountCaller, Draft, RequestContext } from '../../http/bind.ts';
import { changesBetween, recordAudit, secretChange } from '../audit/record-audit-lookup.ts';
import { inTransaction, lockApp, replacePushFile, type PushFileApp } from './push-file-store.ts';

type Deps = { db: Databases['db']; secretBox: Pick<SecretBox, 'seal'>; now: () => Date };
type Call = { body: Draft<{ appId: number; configuration: UploadedFile }>; caller: AccountCaller; request: RequestContext };

/**
 * Stores an app's push file, sealed, in place of the one before (api [21]). The answer shows its name and project; the
 * file itself is never sent to anybody, and the trail only says that it changed (S16, S18).
 */
export async function savePushFile(deps: Deps, { body, caller, request }: Call): Promise<PushFileSettings> {
  const { appId, configuration } = body.fields;
  const file = configuration && readPushFile(configuration);
  const found: Record<string, string> = typeof file === 'string' ? { configuration: file } : {};
  if (appId === undefined) body.judge(found);

  return inTransaction(deps.db, async (tx) => {
    const app = await lockApp(tx, appId ?? 0, caller.scope);
    const refusal = refusalOf(app);
    // Errors of the form's shape come before the app's, those of the file after (api 0.3).
    body.judge(refusal ? {} : found);
    if (refusal) throw refusal;
    if (!app || file === undefined || typeof file === 'string') throw new Error('A form without app or file was judged to fit');
    const at = deps.now();
    await replacePushFile(tx, app.id, {
      push_file_sealed: deps.secretBox.seal(file.content, { table: 'apps', column: 'push_file_sealed', id: app.id }),
      push_file_name: file.fileName,
      push_file_project: file.projectId,
      push_file_at: at,
    });
    await recordAudit(tx, {
      actor: caller.account,
      entity: 'firebase',
      action: 'upload',
      entityId: app.id,
      entityLabel: app.name,
      appId: app.id,
      request,
      changes: [
        secretChange('configuration'),
        ...changesBetween(
          { fileName: app.push_file_name, projectId: app.push_file_project },
          { fileName: file.fileName, projectId: file.projectId },
        ),
      ],
    });
    return { fileName: file.fileName, projectId: file.projectId, updated_at: wireDate(at) };
  });
}

function refusalOf(app: PushFileApp | undefined): Refusal | null {
  if (!app) return notFound();
  return app.deleted_at === null ? null : conflict(linkMessages.archived);
}

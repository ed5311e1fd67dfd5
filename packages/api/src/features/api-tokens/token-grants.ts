import { grantMessages } from '@switchyard/contract/account-rules';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { coversApps } from '@switchyard/contract/app-scope';
import type { OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, forbidden } from '../../errors.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { findUnknownApp, type StoredToken } from './api-tokens-store.ts';
import { appsOf, holdsEach } from './token-mapper.ts';

/** The rights of a token. */
export type Grant = Pick<StoredToken, 'permission_ids' | 'all_apps' | 'app_ids'>;

const knownIds = new Set<number>(permissionCatalogue.map(({ id }) => id));

/**
 * Throws 422 for unknown permissions and apps, and 403 for those that the caller lacks. A personal token with all apps sees those
 * of its owner; a service account may have another owner later, so it needs a caller who sees all.
 */
export async function requireGrantable(
  tx: OpenTransaction,
  { caller, grant, kind }: { caller: SessionCaller; grant: Grant; kind: StoredToken['kind'] },
): Promise<void> {
  const unknown = grant.permission_ids.find((id) => !knownIds.has(id));
  if (unknown !== undefined) throw new FieldErrors({ permission_ids: [unknownIdMessage('permission_ids', unknown)] });
  if (!holdsEach(caller, grant.permission_ids)) throw forbidden(grantMessages.permissions);
  if (grant.all_apps) {
    if (kind === 'service' && caller.scope !== 'all') throw forbidden(grantMessages.allApps);
    return;
  }
  if (!coversApps(caller.scope, appsOf(grant))) throw forbidden(grantMessages.apps);
  const app = await findUnknownApp(tx, grant.app_ids);
  if (app !== undefined) throw new FieldErrors({ app_ids: [unknownIdMessage('app_ids', app)] });
}

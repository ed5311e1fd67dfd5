import { auditSealMessages, type acknowledgeSealLoss as acknowledgeCall } from '@switchyard/contract/audit-seals';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, transaction } from '../../database/transaction.ts';
import { conflict, forbidden } from '../../errors.ts';
import type { Call } from '../../http/bind.ts';
import type { SealWatch } from './watch-seals.ts';

type Dependencies = { db: Databases['db']; seals: SealWatch };

/**
 * Continues sealing although earlier seals are missing. Throws 403 unless the caller is a super admin with access to all apps, and 409 if the seal with this number is not missing.
 */
export async function acknowledgeLoss(
  { db, seals }: Dependencies,
  { body: { seal_id: sealId }, caller, request }: Call<typeof acknowledgeCall>,
): Promise<void> {
  if (!caller.account.isSuperAdmin || caller.scope !== 'all') throw forbidden();
  if ((await seals.findMissing()) !== sealId) throw conflict(auditSealMessages.notMissing);
  await transaction(db, async (tx) => {
    return recordAudit(tx, { actor: caller.account, entity: 'audit_seal', action: 'acknowledge', id: sealId, label: null, request });
  });
  await seals.resume();
}

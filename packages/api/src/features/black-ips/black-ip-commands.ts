import type { Databases } from '../../database/connect.ts';
import { recordAudit, recordAudits, transaction } from '../../database/transaction.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { deleteIp, insertIps } from './black-ips-store.ts';

type Call = { caller: AccountCaller; request: RequestContext };

/** Adds all addresses or none; concurrent calls with the same address wait for each other. */
export async function addBlackIps(
  { db, now }: { db: Databases['db']; now: () => Date },
  { ips, reason, caller, request }: Call & { ips: readonly string[]; reason: string },
): Promise<{ created: number; updated: number }> {
  return transaction(db, async (tx) => {
    const writtenIps = await insertIps(tx, { ips, reason, now: now() });
    const createdCount = writtenIps.filter(({ before }) => before === null).length;
    return recordAudits(
      tx,
      writtenIps.map(({ ip, before }) => ({
        actor: caller.account,
        entity: 'black_ip',
        action: before === null ? 'create' : 'update',
        entityId: ip,
        entityLabel: ip,
        request,
        changes: [{ field: 'reason', from: before, to: reason }],
      })),
      { created: createdCount, updated: writtenIps.length - createdCount },
    );
  });
}

/** Removes an address. Throws 404 if the list does not have it. */
export async function removeBlackIp(db: Databases['db'], { ip, caller, request }: Call & { ip: string }): Promise<void> {
  await transaction(db, async (tx) => {
    const reason = await deleteIp(tx, ip);
    if (reason === undefined) throw notFound();
    const names = { entityId: ip, entityLabel: ip };
    const changes = [{ field: 'reason', from: reason, to: null }];
    return recordAudit(tx, { actor: caller.account, entity: 'black_ip', action: 'delete', ...names, request, changes });
  });
}

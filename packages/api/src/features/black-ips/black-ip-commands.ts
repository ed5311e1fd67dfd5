import type * as contract from '@switchyard/contract/black-ips';
import type { Databases } from '../../database/connect.ts';
import { recordAudit, recordAudits, transaction, type AuditEvent } from '../../database/transaction.ts';
import { notFound } from '../../errors.ts';
import type { AccountCall, Call } from '../../http/bind.ts';
import { deleteIp, insertIps } from './black-ips-store.ts';

/** Adds all addresses or none; concurrent calls with the same address wait for each other. */
export async function addBlackIps(
  { db, now }: { db: Databases['db']; now: () => Date },
  { body: { ips, reason }, caller: { account: actor }, request }: AccountCall & Pick<Call<typeof contract.addBlackIps>, 'body'>,
): Promise<{ created: number; updated: number }> {
  return transaction(db, async (tx) => {
    const writtenIps = await insertIps(tx, { ips, reason, now: now() });
    const created = writtenIps.filter(({ before }) => before === null).length;
    const events = writtenIps.map(({ ip, before }): AuditEvent => {
      const changes = [{ field: 'reason', from: before, to: reason }];
      return { actor, entity: 'black_ip', action: before === null ? 'create' : 'update', id: ip, label: ip, request, changes };
    });
    return recordAudits(tx, events, { created, updated: writtenIps.length - created });
  });
}

/** Removes an address. Throws 404 if the list does not have it. */
export async function removeBlackIp(
  db: Databases['db'],
  { params: { ip }, caller: { account: actor }, request }: AccountCall & Pick<Call<typeof contract.removeBlackIp>, 'params'>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const reason = await deleteIp(tx, ip);
    if (reason === undefined) throw notFound();
    const changes = [{ field: 'reason', from: reason, to: null }];
    return recordAudit(tx, { actor, entity: 'black_ip', action: 'delete', id: ip, label: ip, request, changes });
  });
}

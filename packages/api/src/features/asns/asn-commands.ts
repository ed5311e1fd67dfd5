import type { AsnRow, banAsn as banCall } from '@switchyard/contract/asns';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, recordAudit, transaction, unchanged } from '../../database/transaction.ts';
import { notFound } from '../../errors.ts';
import type { AccountCall, Call } from '../../http/bind.ts';
import { lockAsn, updateBans } from './asns-store.ts';

/** Sets the flags that were sent; of concurrent calls the last one wins, flag by flag. Throws 404 if the system is unknown. */
export async function banAsn(
  db: Databases['db'],
  { params, body, caller, request }: AccountCall & Pick<Call<typeof banCall>, 'params' | 'body'>,
): Promise<AsnRow> {
  const { asn: code } = params;
  return transaction(db, async (tx) => {
    const before = await lockAsn(tx, code);
    if (!before) throw notFound();
    const after = {
      ...before,
      is_ban_create: body.isBanCreate ?? before.is_ban_create,
      is_ban_receive: body.isBanReceive ?? before.is_ban_receive,
    };
    const changes = changesBetween(flags(before), flags(after));
    if (changes.length === 0) return unchanged(before);

    await updateBans(tx, after);
    const label = `AS${code} ${before.name}`;
    return recordAudit(tx, { actor: caller.account, entity: 'asn', action: 'update', id: code, label, request, changes }, after);
  });
}

/** The fields of an audit entry, by their names on the wire. */
function flags({ is_ban_create, is_ban_receive }: AsnRow): Record<string, unknown> {
  return { isBanCreate: is_ban_create, isBanReceive: is_ban_receive };
}

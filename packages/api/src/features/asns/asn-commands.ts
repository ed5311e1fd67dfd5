import type { AsnRow, banAsn as banCall } from '@switchyard/contract/asns';
import type { BodyOf } from '@switchyard/contract/endpoint';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, recordAudits, transaction, type AuditEvent } from '../../database/transaction.ts';
import { notFound } from '../../errors.ts';
import type { AccountCall, Call } from '../../http/bind.ts';
import { lockAsns, updateBans } from './asns-store.ts';

/** Sets the flags that were sent; of concurrent calls the last one wins, flag by flag. Throws 404 if the system is unknown. */
export async function banAsn(db: Databases['db'], { params, body, ...call }: Call<typeof banCall>): Promise<AsnRow> {
  const [row] = await banAsns(db, [{ ...body, code: params.asn }], call);
  if (!row) throw notFound();
  return row;
}

/** Sets the flags that are given for each system, with an entry for each one that changes. Gives those that are known. */
export async function banAsns(
  db: Databases['db'],
  bans: readonly (BodyOf<typeof banCall> & { code: number })[],
  { caller, request }: AccountCall,
): Promise<AsnRow[]> {
  const byCode = new Map(bans.map((ban) => [ban.code, ban]));
  return transaction(db, async (tx) => {
    const events: AuditEvent[] = [];
    const rows = (await lockAsns(tx, [...byCode.keys()])).map((before): AsnRow => {
      const { isBanCreate = before.is_ban_create, isBanReceive = before.is_ban_receive } = byCode.get(before.code) ?? {};
      const after = { ...before, is_ban_create: isBanCreate, is_ban_receive: isBanReceive };
      const changes = changesBetween(flags(before), flags(after));
      const label = `AS${before.code} ${before.name}`;
      if (changes.length > 0)
        events.push({ actor: caller.account, entity: 'asn', action: 'update', id: before.code, label, request, changes });
      return after;
    });
    if (events.length > 0) await updateBans(tx, rows);
    return recordAudits(tx, events, rows);
  });
}

/** The fields of an audit entry, by their names on the wire. */
function flags({ is_ban_create, is_ban_receive }: AsnRow): Record<string, unknown> {
  return { isBanCreate: is_ban_create, isBanReceive: is_ban_receive };
}

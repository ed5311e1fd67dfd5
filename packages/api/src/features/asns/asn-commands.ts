import { type AsnRow, type banAsn as banCall, type explainAsnBan as explainCall, notBannedMessage } from '@switchyard/contract/asns';
import type { BodyOf } from '@switchyard/contract/endpoint';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, recordAudits, transaction, type AuditEvent } from '../../database/transaction.ts';
import { FieldErrors, notFound } from '../../errors.ts';
import type { AccountCall, Call } from '../../http/bind.ts';
import { lockAsns, updateBanReasons, updateBans } from './asns-store.ts';
import { findBanReasons } from './registry-lookup.ts';

/** Sets the flags that were sent; of concurrent calls the last one wins, flag by flag. Throws 404 if the system is unknown. */
export async function banAsn(db: Databases['db'], { params, body, ...call }: Call<typeof banCall>): Promise<AsnRow> {
  const [row] = await banAsns(db, [{ ...body, code: params.asn }], call);
  if (!row) throw notFound();
  return row;
}

/** Flags and reason of a system that change; an absent one stays, except that a free system has no reason. */
type Ban = BodyOf<typeof banCall> & { code: number; reason?: string | undefined };

/** Sets what is given for each system, with an entry for each one that changes. Gives those that are known. */
export async function banAsns(db: Databases['db'], bans: readonly Ban[], { caller, request }: AccountCall): Promise<AsnRow[]> {
  const byCode = new Map(bans.map((ban) => [ban.code, ban]));
  return transaction(db, async (tx) => {
    const events: AuditEvent[] = [];
    const rows = await lockAsns(tx, [...byCode.keys()]);
    const reasons = await findBanReasons(tx, [...byCode.keys()]);
    const newReasons: { code: number; reason: string }[] = [];
    const newRows = rows.map((before): AsnRow => {
      const { code } = before;
      const oldReason = reasons.get(code) ?? '';
      const { isBanCreate = before.is_ban_create, isBanReceive = before.is_ban_receive, reason = oldReason } = byCode.get(code) ?? {};
      const after = { ...before, is_ban_create: isBanCreate, is_ban_receive: isBanReceive };
      const newReason = isBanCreate || isBanReceive ? reason : '';
      const changes = changesBetween(fieldsOf(before, oldReason), fieldsOf(after, newReason));
      const label = `AS${code} ${before.name}`;
      if (changes.length > 0) events.push({ actor: caller.account, entity: 'asn', action: 'update', id: code, label, request, changes });
      if (newReason !== oldReason) newReasons.push({ code, reason: newReason });
      return after;
    });
    if (events.length > 0) await updateBans(tx, newRows);
    await updateBanReasons(tx, newReasons);
    return recordAudits(tx, events, newRows);
  });
}

/** Says why a system is banned. Throws 404 if it is unknown, and FieldErrors if it is free. */
export async function explainAsnBan(
  db: Databases['db'],
  { params, body: { reason }, ...call }: Call<typeof explainCall>,
): Promise<{ code: number; reason: string }> {
  const [row] = await banAsns(db, [{ code: params.asn, reason }], call);
  if (!row) throw notFound();
  if (!row.is_ban_create && !row.is_ban_receive) throw new FieldErrors({ reason: [notBannedMessage] });
  return { code: row.code, reason };
}

/** The fields of an audit entry, by their names on the wire. */
function fieldsOf({ is_ban_create, is_ban_receive }: AsnRow, reason: string): Record<string, unknown> {
  return { isBanCreate: is_ban_create, isBanReceive: is_ban_receive, reason };
}

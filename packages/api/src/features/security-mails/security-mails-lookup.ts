import type { optionalSecurityMails, SecurityMailEvent } from '@switchyard/contract/security-mails';
import { sql, type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { mailQueue } from '../../mails/deliver-mail.ts';

export type OptionalMail = (typeof optionalSecurityMails)[number];

/** Something that happened to an account, for the mail to its owner. */
export type SecurityNotice = {
  event: SecurityMailEvent;
  accountId: number;
  /** Who did it; null: somebody with a mailed link. */
  actor: { id: number; name?: string } | null;
  request: { ip: string };
  /** Further lines of the mail: a name and its value. No secrets, because the job is stored as it is. */
  facts?: readonly (readonly [name: string, value: string])[];
};

/**
 * Leaves a mail to the owner of an account behind, in the transaction of the event: it is sent if and only if that commits. Goes
 * to the address that the account has now, so call it before you change the address.
 */
export type NotifyOwner = (tx: OpenTransaction, notice: SecurityNotice) => Promise<void>;

/** Without a mail server nothing is sent. Demo accounts belong to nobody and get no mail. */
export function createNotifyOwner({ now, sendMail }: { now: () => Date; sendMail: SendJob | null }): NotifyOwner {
  return async (tx, { event, accountId, actor, request: { ip }, facts = [] }) => {
    if (sendMail === null) return;
    const owner = await findRecipient(tx, accountId);
    if (!owner || owner.is_demo || (await listSwitchedOff(tx, accountId)).some((off) => off === event)) return;
    const by = actor === null ? 'Somebody with a mailed link' : actor.id === accountId ? 'Your account' : (actor.name ?? 'Another account');
    const to = { name: owner.name, address: owner.email };
    const data = { kind: 'notice', id: randomUUID(), event, accountId, to, by, at: now().toISOString(), ip, facts };
    await sendMail(tx, { queue: mailQueue, data });
  };
}

/** Events of which the owner of an account gets no mail. */
export async function listSwitchedOff(db: Kysely<Tables>, accountId: number): Promise<OptionalMail[]> {
  const { rows } = await sql<{ event: OptionalMail }>`select event from switched_off_mails where account_id = ${accountId}`.execute(db);
  return rows.map(({ event }) => event);
}

/** Switches the mails about an event off that were on. */
export async function insertSwitchedOff(tx: OpenTransaction, accountId: number, event: OptionalMail): Promise<void> {
  await sql`insert into switched_off_mails (account_id, event) values (${accountId}, ${event})`.execute(tx);
}

/** Switches the mails about an event on again. */
export async function deleteSwitchedOff(tx: OpenTransaction, accountId: number, event: OptionalMail): Promise<void> {
  await sql`delete from switched_off_mails where account_id = ${accountId} and event = ${event}`.execute(tx);
}

/** The owner of an account, to whom its mails go; undefined for a deleted account. */
export async function findRecipient(db: Kysely<Tables>, id: number) {
  const { rows } = await sql<{ name: string; email: string; is_demo: boolean }>`
    select name, email, is_demo from accounts where id = ${id} and deleted_at is null
  `.execute(db);
  return rows[0];
}

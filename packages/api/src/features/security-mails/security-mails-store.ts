import type { OpenTransaction } from '../../database/transaction.ts';
import type { OptionalMail } from './security-mails-lookup.ts';

/** Switches the mails about an event off that were on. */
export async function insertSwitchedOff(tx: OpenTransaction, accountId: number, event: OptionalMail): Promise<void> {
  await tx.insertInto('switched_off_mails').values({ account_id: accountId, event }).execute();
}

/** Switches the mails about an event on again. */
export async function deleteSwitchedOff(tx: OpenTransaction, accountId: number, event: OptionalMail): Promise<void> {
  await tx.deleteFrom('switched_off_mails').where('account_id', '=', accountId).where('event', '=', event).execute();
}

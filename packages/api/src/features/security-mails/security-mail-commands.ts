import {
  optionalSecurityMails,
  requiredSecurityMails,
  type SecurityMailEvent,
  type SecurityMails,
  type switchSecurityMail as switchCall,
} from '@switchyard/contract/security-mails';
import type { Databases } from '../../database/connect.ts';
import { lockAccount } from '../../database/lock-account.ts';
import { recordAudit, transaction, unchanged } from '../../database/transaction.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import {
  deleteSwitchedOff,
  findRecipient,
  insertSwitchedOff,
  listSwitchedOff,
  type NotifyOwner,
  type OptionalMail,
} from './security-mails-lookup.ts';
import { eventTitles } from './write-security-mail.ts';

export type OwnMailsDependencies = {
  db: Databases['db'];
  notifyOwner: NotifyOwner;
  /** Whether a mail server is set up. */
  sendsMail: boolean;
};

/** Events about which the caller gets a mail, those that cannot be switched off first. */
export async function listOwnMails(
  { db, sendsMail }: Pick<OwnMailsDependencies, 'db' | 'sendsMail'>,
  { account }: SessionCaller,
): Promise<SecurityMails> {
  const available = sendsMail && (await findRecipient(db, account.id))?.is_demo === false;
  return toSecurityMails(available, await listSwitchedOff(db, account.id));
}

/**
 * Switches the caller's mails about an event. Switching them off is itself mailed, so that a stolen session cannot do it unseen.
 */
export async function switchOwnMail(
  deps: OwnMailsDependencies,
  { caller, request, body: { event, is_on: isOn } }: Call<typeof switchCall>,
): Promise<SecurityMails> {
  const { account } = caller;
  await transaction(deps.db, async (tx) => {
    await lockAccount(tx, account.id);
    const wasOn = !(await listSwitchedOff(tx, account.id)).includes(event);
    if (wasOn === isOn) return unchanged(undefined);
    if (isOn) {
      await deleteSwitchedOff(tx, account.id, event);
    } else {
      await insertSwitchedOff(tx, account.id, event);
      const facts = [['Mails about', eventTitles[event]]] as const;
      await deps.notifyOwner(tx, { event: 'mail_switched_off', accountId: account.id, actor: account, request, facts });
    }
    const changes = [{ field: event, from: wasOn, to: isOn }];
    const names = { actor: account, entity: 'security_mail', id: account.id, label: account.email, request } as const;
    return recordAudit(tx, { ...names, action: 'update', changes });
  });
  return listOwnMails(deps, caller);
}

function toSecurityMails(available: boolean, switchedOff: readonly OptionalMail[]): SecurityMails {
  const off = new Set<SecurityMailEvent>(switchedOff);
  return {
    available,
    mails: [
      ...requiredSecurityMails.map((event) => ({ event, is_on: true, is_required: true })),
      ...optionalSecurityMails.map((event) => ({ event, is_on: !off.has(event), is_required: false })),
    ],
  };
}

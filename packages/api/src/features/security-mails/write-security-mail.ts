import type { SecurityMailEvent } from '@switchyard/contract/security-mails';
import type { Mail, Recipient } from '../../adapters/mailer.ts';
import { originFacts, writeMail, type MailFact, type MailNames } from '../../mails/write-mail.ts';

/** Each event in a few words: the heading of its mail. */
export const eventTitles: Readonly<Record<SecurityMailEvent, string>> = {
  password_changed: 'Password changed',
  address_changed: 'E-mail address changed',
  factor_removed: 'Second factor removed',
  recovery_code_used: 'Recovery code used',
  recovery_codes_renewed: 'Recovery codes replaced',
  mail_switched_off: 'Security mail switched off',
  new_network: 'Sign-in from a new network',
  factor_added: 'Second factor added',
  token_created: 'API token created',
};

const leads: Readonly<Record<SecurityMailEvent, string>> = {
  password_changed: 'The password of your account was changed.',
  address_changed: 'The e-mail address of your account was changed. This is the last mail to this address.',
  factor_removed: 'A second factor of your account was removed. It can no longer be used to sign in.',
  recovery_code_used: 'A recovery code of your account was used. It does not work again.',
  recovery_codes_renewed: 'The recovery codes of your account were replaced. The old ones no longer work.',
  mail_switched_off: 'You no longer get mails about one kind of event.',
  new_network: 'Your account was used to sign in from a network not used in the last 30 days.',
  factor_added: 'A second factor was added to your account. It can be used to sign in.',
  token_created: 'An API token was created that acts in the name of your account.',
};

const tellAdministrator = 'If this was not you, tell an administrator at once.';
const changePassword = 'If this was not you, change your password, end the other sessions in My account and tell an administrator at once.';
/** The owner of the old address, or of a changed password, may not be able to sign in. */
const isLockedOut: ReadonlySet<SecurityMailEvent> = new Set(['password_changed', 'address_changed']);

/** The message about an event. The subject has nothing that a person typed. */
export function writeSecurityMail(
  names: MailNames,
  {
    event,
    to,
    by,
    at,
    ip,
    facts,
  }: { event: SecurityMailEvent; to: Recipient; by: string; at: Date; ip: string; facts: readonly MailFact[] },
): Mail {
  return writeMail(names, {
    to,
    subject: `${eventTitles[event]}: your account on ${names.productName}`,
    title: eventTitles[event],
    lead: leads[event],
    button: { text: 'Open My account', link: `${names.publicUrl}/account` },
    facts: [...facts, ['Done by', by], ...originFacts({ at, ip })],
    end: isLockedOut.has(event) ? tellAdministrator : changePassword,
  });
}

import type { GoogleIdentity } from '../../adapters/google-sign-in.ts';
import { linkAccount, lockAccountByEmail, lockLinkedAccount, type GoogleAccount } from './google-accounts-store.ts';
import type { Tx } from './session-store.ts';

/**
 * The account that an identity opens (api [7], S5): the one linked to it; without a link the one with its e-mail,
 * which is linked now if it has access and no other link. Null: none. Never makes an account (AMB-018).
 */
export async function matchGoogleAccount(
  tx: Tx,
  identity: GoogleIdentity,
  { hostedDomains, demoIsOn }: { hostedDomains: readonly string[]; demoIsOn: boolean },
): Promise<GoogleAccount | null> {
  const { email, emailVerified, hostedDomain } = identity;
  if (email === null || !emailVerified || !isAllowed(hostedDomain, hostedDomains)) return null;
  const linked = await lockLinkedAccount(tx, identity, demoIsOn);
  if (linked) return linked;
  const account = await lockAccountByEmail(tx, email, demoIsOn);
  if (!account || !isSameEmail(account.email, email)) return null;
  // Linked to another identity, or to this one by a call that came at the same time.
  if (account.google_subject !== null) return isLinkedTo(account, identity) ? account : null;
  if (account.has_access) await linkAccount(tx, account.id, identity);
  return account;
}

function isAllowed(hostedDomain: string | null, allowed: readonly string[]): boolean {
  return allowed.length === 0 || (hostedDomain !== null && allowed.includes(hostedDomain.toLowerCase()));
}

function isLinkedTo(account: GoogleAccount, { issuer, subject }: GoogleIdentity): boolean {
  return account.google_issuer === issuer && account.google_subject === subject;
}

/**
 * Whether two e-mails differ in the case of ASCII letters at most. Full case folding would take the Kelvin sign
 * for a k, and so another person's mailbox for this one.
 */
function isSameEmail(one: string, other: string): boolean {
  return asciiLowerCase(one) === asciiLowerCase(other);
}

function asciiLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

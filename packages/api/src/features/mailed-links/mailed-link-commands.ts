import { accountLinkMessages, type InvitedAccount } from '@switchyard/contract/account-links';
import { emailCharacters } from '@switchyard/contract/account-rules';
import type { SignInAnswer } from '@switchyard/contract/session';
import type { PasswordPolicy } from '../../adapters/common-passwords.ts';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import {
  recordAudit,
  recordAudits,
  secretChange,
  transaction,
  unaudited,
  unchanged,
  type OpenTransaction,
} from '../../database/transaction.ts';
import { FieldErrors, notFound } from '../../errors.ts';
import type { RequestContext } from '../../http/bind.ts';
import { revokeTokensOf } from '../api-tokens/account-tokens-lookup.ts';
import { findLink, takeLink, type LinkOwner, type LinkPurpose } from './account-links-lookup.ts';
import { updatePassword } from './account-links-store.ts';
import { forgottenJob } from './mailed-link-jobs.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { answerSignIn, enter, type OpenSessionDependencies, type EntryOutcome } from '../sign-in/open-session-lookup.ts';
import { lockSignInAccount } from '../sign-in/sign-in-accounts-lookup.ts';
import { forgetAddresses, normalEmail } from '../sign-in/sign-in-limits-lookup.ts';

export type UseLinkDependencies = OpenSessionDependencies & {
  passwords: Pick<PasswordHash, 'hash'>;
  passwordPolicy: PasswordPolicy;
};

const unknown = { invitation: accountLinkMessages.unknownInvitation, password_reset: accountLinkMessages.unknownReset } as const;

/** The account of an invitation, for its page. One answer for links that are unknown, used, withdrawn or expired. */
export async function showInvitation({ db, now }: Pick<UseLinkDependencies, 'db' | 'now'>, token: string): Promise<InvitedAccount> {
  const link = await findLink(db, { token, purpose: 'invitation', now: now() });
  if (!link) throw notFound(unknown.invitation);
  return { name: link.name, email: link.email, panel: link.panel };
}

/** The address of the account that a link for a forgotten password belongs to. One answer for links that do not work. */
export async function showPasswordReset({ db, now }: Pick<UseLinkDependencies, 'db' | 'now'>, token: string): Promise<{ email: string }> {
  const link = await findLink(db, { token, purpose: 'password_reset', now: now() });
  if (!link) throw notFound(unknown.password_reset);
  return { email: link.email };
}

type NewPassword = { token: string; password: string };

/** Sets the password of an invited account and signs in as a password would: an account with a second factor gets its second step. */
export async function acceptInvitation(deps: UseLinkDependencies, input: NewPassword, request: RequestContext): Promise<SignInAnswer> {
  const { owner, passwordHash } = await checkPassword(deps, 'invitation', input);
  const account = { id: owner.accountId, email: owner.email };
  const entry = await transaction<EntryOutcome | null>(deps.db, async (tx) => {
    if (!(await takePassword(tx, deps, { owner, token: input.token, passwordHash }))) return unchanged(null);
    const event = { actor: account, entity: 'invitation', action: 'accept', id: account.id, label: account.email } as const;
    await recordAudit(tx, { ...event, request, changes: [secretChange('password')] });
    return (await enter(tx, deps, { account, passwordHash, request })) ?? unchanged(null);
  });
  const answer = entry && (await answerSignIn(deps, entry));
  if (!answer) throw notFound(unknown.invitation);
  return answer;
}

/**
 * Sets a forgotten password, ends all sessions, revokes the API tokens and clears the count of wrong passwords. It signs
 * nobody in: the sign-in that follows asks for a second factor.
 */
export async function resetPassword(deps: UseLinkDependencies, input: NewPassword, request: RequestContext): Promise<void> {
  const { owner, passwordHash } = await checkPassword(deps, 'password_reset', input);
  const account = { id: owner.accountId, email: owner.email };
  const isDone = await transaction(deps.db, async (tx) => {
    if (!(await takePassword(tx, deps, { owner, token: input.token, passwordHash }))) return unchanged(false);
    await deps.limits.clear(tx, { proof: 'password', email: normalEmail(account.email), ip: request.ip });
    await forgetAddresses(tx, { accountId: account.id, ownIp: request.ip });
    await deps.notifyOwner(tx, { event: 'password_changed', accountId: account.id, actor: null, request });
    const event = { actor: account, entity: 'password_reset', action: 'finish', id: account.id, label: account.email } as const;
    const revocations = await revokeTokensOf(tx, { ownerId: account.id, actor: account, request });
    return recordAudits(tx, [{ ...event, request, changes: [secretChange('password')] }, ...revocations], true);
  });
  if (!isDone) throw notFound(unknown.password_reset);
}

/**
 * Takes the request for a link. Known and unknown addresses cost the same: the account is looked up later, by the job that this
 * call creates.
 */
export async function requestPasswordReset(
  deps: Pick<UseLinkDependencies, 'db' | 'limits'> & { sendMail: SendJob },
  text: string,
  request: RequestContext,
): Promise<void> {
  const normal = normalEmail(text);
  // A longer address belongs to nobody.
  const email = normal.length > emailCharacters ? '' : normal;
  await deps.limits.admitReset(email);
  await transaction(deps.db, async (tx) => {
    await deps.sendMail(tx, forgottenJob({ email, ip: request.ip, requestId: request.requestId }));
    return unaudited('the job records the request if the account exists', undefined);
  });
}

/** Validates the link and then the password, and hashes it. A weak password leaves the link as it is. */
async function checkPassword(
  { db, now, passwords, passwordPolicy }: UseLinkDependencies,
  purpose: LinkPurpose,
  { token, password }: NewPassword,
): Promise<{ owner: LinkOwner; passwordHash: string }> {
  const owner = await findLink(db, { token, purpose, now: now() });
  if (!owner) throw notFound(unknown[purpose]);
  const weakness = passwordPolicy.error(password, owner.email);
  if (weakness !== null) throw new FieldErrors({ password: [weakness] });
  return { owner, passwordHash: await passwords.hash(password) };
}

/** Uses up the link and sets the password; false, with nothing written, when the link or the account is no longer valid. */
async function takePassword(
  tx: OpenTransaction,
  { now }: Pick<UseLinkDependencies, 'now'>,
  { owner: { accountId, linkId }, token, passwordHash }: { owner: LinkOwner; token: string; passwordHash: string },
): Promise<boolean> {
  // The account first, as commands on accounts lock it.
  if (!(await lockSignInAccount(tx, { id: accountId, passwordHash: null }))) return false;
  if (!(await takeLink(tx, { linkId, token, now: now() }))) return false;
  await updatePassword(tx, { accountId, passwordHash, now: now() });
  return true;
}

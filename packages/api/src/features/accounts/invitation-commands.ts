import { accountLinkMessages } from '@switchyard/contract/account-links';
import type {
  InviteBody,
  Invitation,
  NewInvitation,
  renewInvitation as renewCall,
  withdrawInvitation as withdrawCall,
} from '@switchyard/contract/invitations';
import { wireDate } from '@switchyard/contract/dates';
import type { Panel } from '@switchyard/contract/permissions';
import { recordAudit, transaction, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, notFound, peopleOnly } from '../../errors.ts';
import type { AccountCall, Call, Draft } from '../../http/bind.ts';
import { createLink, deleteLinks, readInvitation, type CreatedLink, type LinkDependencies } from '../mailed-links/account-links-lookup.ts';
import { findRecipient } from '../security-mails/security-mails-lookup.ts';
import { changeDenial, rejectIfDenied } from './access-rules-lookup.ts';
import { insertNewAccount, type SaveDependencies } from './account-commands.ts';
import { standingOf } from './account-mapper.ts';
import { lockTarget, type WriteCall } from './account-target.ts';
import { getAccount, type ShownAccount } from './accounts-store.ts';

export type InviteDependencies = SaveDependencies & LinkDependencies;

/**
 * Creates an account without a password, with a link by which its owner sets one. Rejects as `createAccount` does, and with 403
 * API tokens where the link is shown instead of mailed: they would have a way into the account.
 */
export async function inviteAccount(
  deps: InviteDependencies,
  call: WriteCall & { panel: Panel; body: Draft<InviteBody> },
): Promise<{ account: ShownAccount; invitation: NewInvitation }> {
  if (call.caller.by.kind === 'token' && deps.sendMail === null) throw peopleOnly();
  const { account, extra } = await insertNewAccount(deps, { ...call, needsPassword: false }, async (tx, accountId) => {
    const link = await createLink(tx, deps, { accountId, purpose: 'invitation', ...originOf(call) });
    return { change: { field: 'invitation', from: null, to: wireDate(link.expiresAt) }, extra: toNewInvitation(link) };
  });
  return { account, invitation: extra };
}

type LinkCall = Call<typeof renewCall | typeof withdrawCall>;

/**
 * Creates a new invitation link for an account that is not in use yet. The old link stops working. The link gives access to the
 * account, so the rules on a new password apply. Throws 409 if the account is in use.
 */
export async function renewInvitation(deps: InviteDependencies, call: LinkCall): Promise<NewInvitation> {
  return transaction(deps.db, async (tx) => {
    const event = await lockInvited(tx, deps, call);
    const link = await createLink(tx, deps, { accountId: event.id, purpose: 'invitation', ...originOf(call) });
    const changes = [{ field: 'expires_at', from: null, to: wireDate(link.expiresAt) }];
    return recordAudit(tx, { ...event, action: 'create', changes }, toNewInvitation(link));
  });
}

/** Withdraws an invitation: its link stops working. Throws 409 if the account has no open invitation. */
export async function withdrawInvitation(deps: InviteDependencies, call: LinkCall): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const event = await lockInvited(tx, deps, call);
    if (!(await deleteLinks(tx, event.id, 'invitation'))) throw conflict(accountLinkMessages.noInvitation);
    return recordAudit(tx, { ...event, action: 'withdraw' });
  });
}

/** The state of the invitation of an account of either panel. Rejects unknown and deleted accounts with 404. */
export async function getInvitation({ db, now }: Pick<InviteDependencies, 'db' | 'now'>, id: number): Promise<Invitation> {
  await getAccount(db, { id });
  return readInvitation(db, id, now());
}

/**
 * Locks an account that is not in use yet, and returns the fields of its audit entry. Throws in the order of `lockTarget`, then the
 * errors of the rules on new credentials, 409 if the account is in use, and last 403 if the caller did not sign in recently.
 */
async function lockInvited(tx: OpenTransaction, deps: InviteDependencies, { params, ...call }: LinkCall) {
  const { writer, account, before, roles } = await lockTarget(tx, { ...params, ...call, apps: null, mayUnlinkAny: false });
  const { id, email, panel } = account;
  const standing = standingOf(before, { panel, roles });
  const others = { enabledCount: 1, withAllApps: 1 };
  rejectIfDenied(changeDenial(writer, { id, before: standing, after: standing, apps: null, others, newCredentials: true }));
  if ((await findRecipient(tx, id))?.is_demo === true) throw conflict(accountLinkMessages.demo);
  if ((await readInvitation(tx, id, deps.now())).state === 'none') throw conflict(accountLinkMessages.hasPassword);
  return { actor: call.caller.account, entity: 'invitation', id, label: email, request: call.request } as const;
}

/** Who invites, and from where: the mail says it. */
function originOf({ caller, request }: AccountCall): { by: string; ip: string } {
  return { by: caller.account.name, ip: request.ip };
}

function toNewInvitation({ expiresAt, mail, link }: CreatedLink): NewInvitation {
  return { state: 'pending', expires_at: wireDate(expiresAt), mail, link };
}

/** Throws 404 if accounts sign in with Google only, because they have no passwords. */
export function requirePasswords({ needsPassword }: Pick<SaveDependencies, 'needsPassword'>, message: string): void {
  if (!needsPassword) throw notFound(message);
}

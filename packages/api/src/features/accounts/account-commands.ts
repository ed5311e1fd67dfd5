import { accountMessages, testerBadge } from '@switchyard/contract/account-rules';
import type { HandOverTo } from '@switchyard/contract/belongings';
import type { CreateAccountBody, SaveAccountBody } from '@switchyard/contract/accounts';
import { wireDate } from '@switchyard/contract/dates';
import type { changeOwnPassword as ownPasswordCall } from '@switchyard/contract/own-sessions';
import type { Panel } from '@switchyard/contract/permissions';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { randomBytes } from 'node:crypto';
import type { PasswordPolicy } from '../../adapters/common-passwords.ts';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import type { Announce } from '../../announcement.ts';
import type { AuditChange } from '@switchyard/contract/audit';
import {
  recordAudit,
  recordAudits,
  type AuditEvent,
  secretChange,
  transaction,
  unchanged,
  type Audited,
  type OpenTransaction,
} from '../../database/transaction.ts';
import { FieldErrors, peopleOnly, stale } from '../../errors.ts';
import type { AccountCall, Call, Draft, RequestContext } from '../../http/bind.ts';
import { lockRules } from '../alerts/channel-rules-lookup.ts';
import { revokeTokensOf } from '../api-tokens/account-tokens-lookup.ts';
import { deleteLinks } from '../mailed-links/account-links-lookup.ts';
import type { NotifyOwner } from '../security-mails/security-mails-lookup.ts';
import { appsAfter, changeDenial, detachDenial, rejectIfDenied, type AppsCall } from './access-rules-lookup.ts';
import { endBelongings, handOver } from './belongings-commands.ts';
import { accountChanges, standingOf, toEither } from './account-mapper.ts';
import {
  currentWriter,
  difference,
  lockTarget,
  movedApps,
  retryOnMovedApps,
  type Target,
  type WriteCall,
  type WriteDependencies,
} from './account-target.ts';
import { forgetAddresses } from '../sign-in/sign-in-limits-lookup.ts';
import * as store from './accounts-store.ts';
import { findAccountErrors, rejectTakenNames, resolveRoles, sentApps, type SentAccount } from './validate-account.ts';

export type SaveDependencies = WriteDependencies & {
  passwords: Pick<PasswordHash, 'hash'>;
  passwordPolicy: PasswordPolicy;
  /** Returns the stored hash if the password is the caller's, otherwise null. Throws 429 after too many wrong ones. */
  provePassword: (claim: { account: { id: number; email: string }; password: string; request: RequestContext }) => Promise<string | null>;
  notifyOwner: NotifyOwner;
  /** Tells the channels what ends with an account. */
  announce: Announce;
  /** False when accounts sign in with Google only; those without a password get one that nobody knows. */
  needsPassword: boolean;
};

type CreateCall = WriteCall & { panel: Panel; body: Draft<CreateAccountBody> };
type SaveCall = WriteCall & { id: number; panel: Panel; body: Draft<SaveAccountBody>; matchesIfMatch: (version: number) => boolean };

/**
 * Creates an account. Throws 401 or 403 if the caller lost these rights meanwhile, then 422 for invalid fields, then 403 for rights
 * that the creator may not grant.
 */
export async function createAccount(deps: SaveDependencies, call: CreateCall): Promise<store.ShownAccount> {
  const change = secretChange('password');
  return (await insertNewAccount(deps, { ...call, needsPassword: deps.needsPassword }, async () => ({ change, extra: null }))).account;
}

/** Makes the way into a new account in the transaction that creates it; `change` is part of its audit entry. */
type MakeWayIn<T> = (tx: OpenTransaction, id: number) => Promise<{ change: AuditChange; extra: T }>;

/** Creates an account; without a password if it needs none. */
export async function insertNewAccount<T>(
  deps: SaveDependencies,
  { panel, body, needsPassword, ...call }: CreateCall & { needsPassword: boolean },
  makeWayIn: MakeWayIn<T>,
): Promise<{ account: store.ShownAccount; extra: T }> {
  const newHash = await hashOf(deps, body.fields);
  const passwordHash = newHash ?? (deps.needsPassword ? null : await unknownHash(deps));
  const apps = fullSet(body.fields);
  return transaction(deps.db, async (tx) => {
    await store.lockAccountWrites(tx);
    const writer = await currentWriter(tx, call);
    const knownApps = await store.lockApps(tx, apps?.ids ?? [], panel);
    const roles = await store.listRoles(tx, panel);
    const form = { ...deps, needsPassword, fields: body.fields, panel, before: null, caller: writer, roles, knownApps, isProven: null };
    const fields = body.validate(await findAccountErrors(tx, form));
    if (passwordHash === null && needsPassword) throw new Error('An account without a password passed validation');
    const roleIds = resolveRoles(fields.roles, roles).ids;
    const isTester = roles.some((role) => role.badge === testerBadge && roleIds.includes(role.id));
    const after = {
      name: fields.name,
      email: fields.email,
      hasAccess: fields.hasAccess ?? fields.has_access ?? true,
      isQa: fields.isQa ?? isTester,
      roleIds,
      apps: appsAfter({ scope: writer.scope, panel, before: null, call: apps }),
    };
    const change = { id: null, before: null, after: standingOf(after, { panel, roles }), apps, newCredentials: true };
    rejectIfDenied(changeDenial(writer, { ...change, others: { enabledCount: 0, withAllApps: 0 } }));

    const now = deps.now();
    const id = await store.insertAccount(tx, { panel, state: after, passwordHash, now });
    await store.updateRoles(tx, { id, panel, roleIds });
    await store.updateApps(tx, { id, panel, apps: after.apps });
    if (panel === 'buyer') await store.updateAppVersions(tx, difference([], after.apps), now);
    const { change: wayIn, extra } = await makeWayIn(tx, id);
    const changes = [...accountChanges(null, after, roles), wayIn];
    const names = { actor: call.caller.account, entity: panel, id, label: after.name, request: call.request };
    const account = await store.getShownAccount(tx, await store.getAccount(tx, { id }), writer.scope);
    return recordAudit(tx, { ...names, action: 'create', changes }, { account, extra });
  }).catch(rejectTakenNames);
}

/**
 * Changes the fields of an account that a form sent. Throws in the order of `lockTarget`, then 412 for a version that
 * `matchesIfMatch` does not allow, 422 for invalid values, the errors of the rules on accounts, and last 403 for a new password,
 * e-mail or role if the caller did not sign in recently.
 */
export async function saveAccount(deps: SaveDependencies, { body, matchesIfMatch, ...call }: SaveCall): Promise<store.ShownAccount> {
  const isByToken = call.caller.by.kind === 'token';
  if (isByToken && typeof body.fields.password === 'string') throw peopleOnly();
  const proof = await ownPasswordProof(deps, { ...call, fields: body.fields });
  const passwordHash = proof === 'wrong' ? null : await hashOf(deps, body.fields);
  const apps = fullSet(body.fields);
  return changing(deps, async (tx) => {
    const target = await lockTarget(tx, { ...call, apps, mayUnlinkAny: apps !== null });
    const { writer, account, before, roles, knownApps } = target;
    const { id, panel } = account;
    if (!matchesIfMatch(account.version)) throw stale(toEither(await store.getShownAccount(tx, account, writer.scope)));
    const isProven = proof === null ? null : await isCurrent(tx, id, proof);
    const form = { ...deps, fields: body.fields, panel, before: { ...before, id }, caller: writer, roles, knownApps, isProven };
    const fields = body.validate(await findAccountErrors(tx, form));
    const after = {
      name: fields.name ?? before.name,
      email: fields.email ?? before.email,
      hasAccess: fields.hasAccess ?? fields.has_access ?? before.hasAccess,
      isQa: fields.isQa ?? before.isQa,
      roleIds: fields.roles === undefined ? before.roleIds : resolveRoles(fields.roles, roles).ids,
      apps: appsAfter({ scope: writer.scope, panel, before: before.apps, call: apps }),
    };
    await requireAllowed(tx, target, { after, apps, passwordHash });
    if (isByToken && before.email !== after.email) throw peopleOnly();
    const request = isProven === true ? ({ ...call.request, hasProvenPassword: true } as const) : call.request;
    await notifyOfCredentials(tx, deps, { ...call, before, after, passwordHash });
    return write(tx, target, { ...call, request, action: 'update', after, passwordHash, revokesTokens: true, now: deps.now() });
  });
}

/** Deletes an account softly and ends its sessions; a second time it is not found. */
export async function deleteAccount(
  deps: Pick<SaveDependencies, 'db' | 'now' | 'announce'>,
  call: WriteCall & { id: number; panel: Panel; handOverTo?: HandOverTo | undefined },
): Promise<void> {
  await changing(deps, async (tx) => {
    const target = await lockTarget(tx, { ...call, apps: null, mayUnlinkAny: true });
    const { account, before } = target;
    await requireAllowed(tx, target, { after: null, apps: null, passwordHash: null });
    // Before rules and channels, as the commands on rules do.
    await lockRules(tx);
    const now = deps.now();
    const movedIds = movedApps(target, []);
    const leaving = { id: account.id, name: before.name, call, writer: target.writer };
    const ends = [
      ...(await handOver(tx, leaving, call.handOverTo)),
      ...(await endBelongings(tx, leaving, { announce: deps.announce, now })),
    ];
    await store.deleteAccount(tx, account.id, now);
    await store.updateAppVersions(tx, movedIds, now);
    await store.deleteSessions(tx, account.id, null);
    const names = { actor: call.caller.account, entity: account.panel, id: account.id, label: before.name, request: call.request };
    const changes = [{ field: 'deleted_at', from: null, to: wireDate(now) }];
    return recordAudits(tx, [{ ...names, action: 'delete', changes }, ...ends], undefined);
  });
}

/** Grants or denies an account access; denying ends its sessions, pauses its schedules, and hands over what the call says. */
export async function switchAccess(
  deps: WriteDependencies,
  { hasAccess, handOverTo: to, ...call }: WriteCall & { id: number; panel: Panel; hasAccess: boolean; handOverTo?: HandOverTo | undefined },
): Promise<store.ShownAccount> {
  return changing(deps, async (tx) => {
    const target = await lockTarget(tx, { ...call, apps: null, mayUnlinkAny: false });
    const after = { ...target.before, hasAccess };
    await requireAllowed(tx, target, { after, apps: null, passwordHash: null });
    // With access again there is nobody to hand anything over for.
    const handed = hasAccess ? [] : await handOver(tx, { id: target.account.id, name: after.name, call, writer: target.writer }, to);
    return write(tx, target, { ...call, action: 'switch_access', after, passwordHash: null, revokesTokens: true, now: deps.now() }, handed);
  });
}

const appActions = { set: 'sync_apps', add: 'attach_apps', remove: 'detach_app' } as const;

/** Sets, adds or removes apps of an account of either panel. */
export async function changeAccountApps(
  deps: WriteDependencies,
  { kind, ids, ...call }: WriteCall & { id: number; kind: keyof typeof appActions; ids: readonly number[] },
): Promise<store.ShownAccount> {
  const apps = { kind, ids };
  return changing(deps, async (tx) => {
    const target = await lockTarget(tx, { ...call, apps, mayUnlinkAny: kind === 'set' });
    const { writer, account, before, knownApps } = target;
    if (kind === 'remove') rejectIfDenied(detachDenial(before.apps));
    const unknown = writer.scope === 'all' ? ids.find((id) => !knownApps.has(id)) : undefined;
    if (unknown !== undefined) throw new FieldErrors({ appIds: [unknownIdMessage('appIds', unknown)] });
    const after = { ...before, apps: appsAfter({ scope: writer.scope, panel: account.panel, before: before.apps, call: apps }) };
    await requireAllowed(tx, target, { after, apps, passwordHash: null });
    return write(tx, target, { ...call, action: appActions[kind], after, passwordHash: null, revokesTokens: true, now: deps.now() });
  });
}

/**
 * Changes the caller's own password, which every account may. Ends its sessions except the current one. Throws 422 for a wrong
 * current password, 429 after too many of them, and 403 if an account with a second factor did not sign in recently.
 */
export async function changeOwnPassword(deps: SaveDependencies, { body, caller, request }: Call<typeof ownPasswordCall>): Promise<void> {
  const { current_password: currentPassword, password, revoke_tokens: revokesTokens = false } = body.fields;
  if (currentPassword === undefined || password === undefined) body.validate({});
  const { account } = caller;
  const weakness = deps.passwordPolicy.error(password ?? '', account.email);
  const hash = await deps.provePassword({ account, password: currentPassword ?? '', request });
  const proof = hash === null ? 'wrong' : { hash };
  const passwordHash = hash === null || weakness !== null ? null : await deps.passwords.hash(password ?? '');
  const call = { id: account.id, caller, request, needs: null };
  await changing(deps, async (tx) => {
    const target = await lockTarget(tx, { ...call, apps: null, mayUnlinkAny: false });
    const isProven = await isCurrent(tx, target.account.id, proof);
    body.validate({
      ...(isProven ? {} : { current_password: accountMessages.currentPassword }),
      ...(weakness === null ? {} : { password: weakness }),
    });
    const after = target.before;
    await requireAllowed(tx, target, { after, apps: null, passwordHash });
    const event = { caller, request: { ...request, hasProvenPassword: true }, action: 'update' } as const;
    await notifyOfCredentials(tx, deps, { ...call, before: after, after, passwordHash });
    return write(tx, target, { ...event, after, passwordHash, revokesTokens, now: deps.now() });
  });
}

/** Runs a command on an existing account. */
async function changing<T>(deps: WriteDependencies, command: (tx: OpenTransaction) => Promise<Audited<T>>): Promise<T> {
  return retryOnMovedApps(async () => transaction(deps.db, command)).catch(rejectTakenNames);
}

/** Rejects a change that the rules on accounts forbid, with 403, 409 or 422; `after` null deletes the account. */
async function requireAllowed(
  tx: OpenTransaction,
  { writer, account: { id, panel }, before, roles }: Target,
  { after, apps, passwordHash }: { after: store.AccountState | null; apps: AppsCall; passwordHash: string | null },
): Promise<void> {
  const others = await store.countOtherSuperAdmins(tx, id);
  const newCredentials = after !== null && (passwordHash !== null || before.email !== after.email);
  const [from, to] = [standingOf(before, { panel, roles }), after && standingOf(after, { panel, roles })];
  rejectIfDenied(changeDenial(writer, { id, before: from, after: to, apps, others, newCredentials }));
}

/** Mails the owner about a new password or address. Call it before the change, so that the mail goes to the old address. */
async function notifyOfCredentials(
  tx: OpenTransaction,
  { notifyOwner }: Pick<SaveDependencies, 'notifyOwner'>,
  change: Pick<Change, 'caller' | 'request' | 'after' | 'passwordHash'> & { id: number; before: store.AccountState },
): Promise<void> {
  const notice = { accountId: change.id, actor: change.caller.account, request: change.request };
  if (isOtherAddress(change.before, change.after)) await notifyOwner(tx, { ...notice, event: 'address_changed' });
  if (change.passwordHash !== null) await notifyOwner(tx, { ...notice, event: 'password_changed' });
}

function isOtherAddress(before: store.AccountState, after: store.AccountState): boolean {
  return before.email.toLowerCase() !== after.email.toLowerCase();
}

type Change = AccountCall & {
  action: 'update' | 'switch_access' | 'attach_apps' | 'detach_app' | 'sync_apps';
  after: store.AccountState;
  passwordHash: string | null;
  /** Whether a new password or address revokes the API tokens of the account. */
  revokesTokens: boolean;
  now: Date;
};

/** Writes an allowed change with its entry, and ends the sessions that it closes. One that changes nothing keeps the version. */
async function write(
  tx: OpenTransaction,
  target: Target,
  change: Change,
  others: readonly AuditEvent[] = [],
): Promise<Audited<store.ShownAccount>> {
  const { writer, account, before, roles } = target;
  const { caller, request, action, after, passwordHash, revokesTokens, now } = change;
  const { id, panel } = account;
  const movedIds = movedApps(target, after.apps);
  const changes = [...accountChanges(before, after, roles), ...(passwordHash === null ? [] : [secretChange('password')])];
  if (changes.length === 0 && others.length === 0) return unchanged(await store.getShownAccount(tx, account, writer.scope));
  if (changes.length === 0) return recordAudits(tx, others, await store.getShownAccount(tx, account, writer.scope));

  const isMoved = isOtherAddress(before, after);
  await store.updateAccount(tx, { id, state: after, passwordHash, forgetsGoogle: isMoved, now });
  await store.updateRoles(tx, { id, panel, roleIds: after.roleIds });
  await store.updateApps(tx, { id, panel, apps: after.apps });
  await store.updateAppVersions(tx, movedIds, now);
  // Links that were made for the old password or sent to the old address end, too.
  const losesAccess = before.hasAccess && !after.hasAccess;
  if (losesAccess || isMoved || passwordHash !== null) await deleteLinks(tx, id);
  // A new address ends the caller's own session too: it may be a stolen one.
  if (!after.hasAccess || isMoved) await store.deleteSessions(tx, id, null);
  else if (passwordHash !== null)
    await store.deleteSessions(tx, id, id === caller.account.id && caller.by.kind === 'session' ? caller.by.sessionId : null);
  if (isMoved || passwordHash !== null) await forgetAddresses(tx, { accountId: id, ownIp: id === caller.account.id ? request.ip : null });
  const event = { actor: caller.account, entity: panel, action, id, label: after.name, request, changes } as const;
  const isRevoking = revokesTokens && (isMoved || passwordHash !== null);
  const revocations = isRevoking ? await revokeTokensOf(tx, { ownerId: id, actor: caller.account, request }) : [];
  return recordAudits(
    tx,
    [event, ...revocations, ...others],
    await store.getShownAccount(tx, await store.getAccount(tx, { id }), writer.scope),
  );
}

function fullSet(fields: SentAccount): AppsCall {
  const apps = sentApps(fields);
  return apps && { kind: 'set', ids: apps.ids };
}

/** The stored hash that the current password matched; `wrong` when it matched none. */
type Proof = { hash: string } | 'wrong';

/** Checks the current password that a new one of the caller's own account needs; null for other changes. */
async function ownPasswordProof(
  { provePassword }: SaveDependencies,
  { id, panel, caller: { account }, request, fields }: WriteCall & { id: number; panel: Panel; fields: SentAccount },
): Promise<Proof | null> {
  const isOwn = id === account.id && panel === account.panel;
  if (!isOwn || fields.password === undefined || fields.password === null) return null;
  const { current_password: currentPassword } = fields;
  const hash =
    currentPassword === undefined || currentPassword === null || currentPassword === ''
      ? null
      : await provePassword({ account, password: currentPassword, request });
  return hash === null ? 'wrong' : { hash };
}

/** Whether the proven password is still the stored one: another command may have changed it before the lock. */
async function isCurrent(tx: OpenTransaction, id: number, proof: Proof): Promise<boolean> {
  return proof !== 'wrong' && store.hasPasswordHash(tx, id, proof.hash);
}

/** Hashing takes tens of milliseconds, so it is done before the transaction takes its locks. */
async function hashOf({ passwords }: SaveDependencies, { password }: SentAccount): Promise<string | null> {
  return password === undefined || password === null ? null : passwords.hash(password);
}

async function unknownHash({ passwords }: SaveDependencies): Promise<string> {
  return passwords.hash(randomBytes(32).toString('base64url'));
}

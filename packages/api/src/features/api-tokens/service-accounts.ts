import {
  apiTokenLimits,
  apiTokenMessages,
  type ServiceAccount,
  type createServiceAccount as createCall,
  type updateServiceAccount as updateCall,
} from '@switchyard/contract/api-tokens';
import { grantMessages } from '@switchyard/contract/account-rules';
import type { BodyOf } from '@switchyard/contract/endpoint';
import { changesBetween, recordAudit, secretChange, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { deleteToken, findService, insertToken, listServices, lockService, updateToken, type StoredToken } from './api-tokens-store.ts';
import type { TokenCall, TokenDependencies } from './personal-tokens.ts';
import { auditFields, expiryAfter, storedGrant } from './token-fields.ts';
import { requireGrantable } from './token-grants.ts';
import { holdsEach, isVisible, toServiceAccount } from './token-mapper.ts';
import { newTokenSecret } from './token-secret.ts';

type Issued = { service_account: ServiceAccount; secret: string };

/** Service accounts whose apps the caller sees. */
export async function listServiceAccounts({ db, now }: TokenDependencies, caller: SessionCaller): Promise<ServiceAccount[]> {
  const visible = (await listServices(db)).filter((stored) => isVisible(stored, caller));
  return visible.map((stored) => toServiceAccount(stored, { caller, now: now() }));
}

/** Creates a service account, owned by the caller. Rejects in the order of `createOwnToken`. */
export async function createServiceAccount(
  deps: TokenDependencies,
  { caller, request, body }: TokenCall & { body: BodyOf<typeof createCall> },
): Promise<Issued> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    const now = deps.now();
    const grant = storedGrant(body);
    await requireGrantable(tx, { caller, grant, kind: 'service' });
    if ((await listServices(tx)).length >= apiTokenLimits.serviceAccounts) throw conflict(apiTokenMessages.tooManyServices);
    await deps.requireRecentSignIn(tx, caller);
    const { secret, stored } = newTokenSecret();
    const { name, networks } = body;
    const expires = expiryAfter(body.expires_in_days, now);
    const fields = { kind: 'service', owner_id: account.id, name, ...grant, networks, created_at: now, expires_at: expires } as const;
    const id = await insertToken(tx, { ...fields, ...stored });
    const created = await reread(tx, id);
    const changes = changesBetween({}, serviceFields(created));
    const event = {
      actor: account,
      entity: 'service_account',
      action: 'create',
      entityId: id,
      entityLabel: name,
      request,
      changes,
    } as const;
    return recordAudit(tx, event, { service_account: toServiceAccount(created, { caller, now }), secret });
  });
}

/**
 * Changes a service account, and makes the caller its owner when he takes it over. Rejects, in this order: one that he does not
 * see with 404, one with permissions that he lacks with 403, what he may not grant with 422 and 403, and last with 403 a caller
 * who did not sign in recently.
 */
export async function updateServiceAccount(
  deps: TokenDependencies,
  { caller, request, id, body }: TokenCall & { id: number; body: BodyOf<typeof updateCall> },
): Promise<ServiceAccount> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    const now = deps.now();
    const before = await lockChangeable(tx, id, caller);
    const grant = storedGrant({
      permission_ids: body.permission_ids ?? before.permission_ids,
      has_all_apps: body.has_all_apps ?? before.all_apps,
      app_ids: body.app_ids ?? before.app_ids,
    });
    await requireGrantable(tx, { caller, grant, kind: 'service' });
    const name = body.name ?? before.name;
    const isTaken = body.take_over === true && before.owner_id !== account.id;
    const owner = isTaken ? { owner_id: account.id, owner_name: account.name, owner_has_access: true } : {};
    const expiry = body.expires_in_days === undefined ? before.expires_at : expiryAfter(body.expires_in_days, now);
    const after = { ...before, name, ...grant, networks: body.networks ?? before.networks, expires_at: expiry, ...owner };
    const changes = changesBetween(serviceFields(before), serviceFields(after));
    if (changes.length === 0) return unchanged(toServiceAccount(before, { caller, now }));
    await deps.requireRecentSignIn(tx, caller);
    const { networks, expires_at, owner_id } = after;
    await updateToken(tx, id, { name, ...grant, networks, expires_at, owner_id });
    const action = isTaken ? 'take_over' : 'update';
    const event = { actor: account, entity: 'service_account', action, entityId: id, entityLabel: name, request, changes } as const;
    return recordAudit(tx, event, toServiceAccount(after, { caller, now }));
  });
}

/**
 * Gives a service account a new token; the old one is unknown from the next call on. The caller learns the token, so he becomes
 * the owner: it acts within his rights and under his name. Rejects as `updateServiceAccount`.
 */
export async function renewServiceSecret(deps: TokenDependencies, { caller, request, id }: TokenCall & { id: number }): Promise<Issued> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    const before = await lockChangeable(tx, id, caller);
    await deps.requireRecentSignIn(tx, caller);
    const { secret, stored } = newTokenSecret();
    await updateToken(tx, id, { ...stored, owner_id: account.id, last_used_at: null, last_used_ip: null });
    const after = await reread(tx, id);
    const changes = [...changesBetween(serviceFields(before), serviceFields(after)), secretChange('token')];
    const names = { entityId: id, entityLabel: after.name };
    const event = { actor: account, entity: 'service_account', action: 'renew_secret', ...names, request, changes } as const;
    return recordAudit(tx, event, { service_account: toServiceAccount(after, { caller, now: deps.now() }), secret });
  });
}

/** Deletes a service account. Rejects one that the caller does not see with 404, and one with permissions that he lacks with 403. */
export async function deleteServiceAccount(
  { db }: Pick<TokenDependencies, 'db'>,
  { caller, request, id }: TokenCall & { id: number },
): Promise<void> {
  await transaction(db, async (tx) => {
    const { name } = await lockChangeable(tx, id, caller);
    await deleteToken(tx, id);
    const names = { entityId: id, entityLabel: name };
    return recordAudit(tx, { actor: caller.account, entity: 'service_account', action: 'delete', ...names, request });
  });
}

async function lockChangeable(tx: OpenTransaction, id: number, caller: SessionCaller): Promise<StoredToken> {
  const stored = (await lockService(tx, id)) ? await findService(tx, id) : undefined;
  if (!stored || !isVisible(stored, caller)) throw notFound();
  if (!holdsEach(caller, stored.permission_ids)) throw forbidden(grantMessages.permissions);
  return stored;
}

async function reread(tx: OpenTransaction, id: number): Promise<StoredToken> {
  const stored = await findService(tx, id);
  if (!stored) throw new Error(`Service account ${id} vanished inside its own transaction`);
  return stored;
}

function serviceFields(stored: StoredToken): Record<string, unknown> {
  return { ...auditFields(stored), owner: stored.owner_name };
}

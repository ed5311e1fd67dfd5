import * as contract from '@switchyard/contract/api-tokens';
import { grantMessages } from '@switchyard/contract/account-rules';
import {
  changesBetween,
  existing,
  recordAudit,
  secretChange,
  transaction,
  unchanged,
  type OpenTransaction,
} from '../../database/transaction.ts';
import { conflict, forbidden, notFound, unauthorized } from '../../errors.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import { lockCaller } from '../credentials/caller-lookup.ts';
import { deleteToken, findService, insertToken, listServices, lockService, updateToken, type StoredToken } from './api-tokens-store.ts';
import { tokenNotice, type TokenDependencies } from './personal-token-commands.ts';
import { auditFields, expiryAfter, storedGrant } from './token-fields.ts';
import { requireGrantable } from './token-grants.ts';
import { holdsEach, isVisible, toServiceAccount } from './token-mapper.ts';
import { newTokenSecret } from './token-secret.ts';

type IssuedAccount = { service_account: contract.ServiceAccount; secret: string };

/** Service accounts whose apps the caller sees. */
export async function listServiceAccounts({ db, now }: TokenDependencies, caller: SessionCaller): Promise<contract.ServiceAccount[]> {
  const visible = (await listServices(db)).filter((token) => isVisible(token, caller));
  return visible.map((token) => toServiceAccount(token, { caller, now: now() }));
}

/** Creates a service account, owned by the caller. Throws in the order of `createOwnToken`. */
export async function createServiceAccount(
  deps: TokenDependencies,
  { caller, request, body }: Call<typeof contract.createServiceAccount>,
): Promise<IssuedAccount> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    const now = deps.now();
    const grant = storedGrant(body);
    await requireGrantable(tx, { caller, grant, kind: 'service' });
    if (!(await lockCaller(tx, caller))) throw unauthorized();
    if ((await listServices(tx)).length >= contract.apiTokenLimits.serviceAccounts)
      throw conflict(contract.apiTokenMessages.tooManyServices);
    const { secret, hashed } = newTokenSecret();
    const { name, networks } = body;
    const expires = expiryAfter(body.expires_in_days, now);
    const fields = { kind: 'service', owner_id: account.id, name, ...grant, networks, created_at: now, expires_at: expires } as const;
    const id = await insertToken(tx, { ...fields, ...hashed });
    await deps.notifyOwner(tx, tokenNotice({ caller, request }, name));
    const createdToken = existing(await findService(tx, id));
    const changes = changesBetween({}, serviceFields(createdToken));
    const event = { actor: account, entity: 'service_account', action: 'create', id, label: name, request, changes } as const;
    return recordAudit(tx, event, { service_account: toServiceAccount(createdToken, { caller, now }), secret });
  });
}

/**
 * Changes a service account. Taking it over makes the caller its owner. Throws, in this order: 404 if the caller does not see it,
 * 403 if it has permissions that the caller lacks, 422 or 403 for rights that the caller may not grant, and 403 without a recent
 * sign-in.
 */
export async function updateServiceAccount(
  deps: TokenDependencies,
  { params: { id }, caller, request, body }: Call<typeof contract.updateServiceAccount>,
): Promise<contract.ServiceAccount> {
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
    const { networks, expires_at, owner_id } = after;
    await updateToken(tx, id, { name, ...grant, networks, expires_at, owner_id });
    const action = isTaken ? 'take_over' : 'update';
    const event = { actor: account, entity: 'service_account', action, id, label: name, request, changes } as const;
    return recordAudit(tx, event, toServiceAccount(after, { caller, now }));
  });
}

/**
 * Gives a service account a new token. The old one is rejected from the next call on. The caller learns the token and becomes the
 * owner, so that it acts within the caller's rights and under the caller's name. Throws as `updateServiceAccount` does.
 */
export async function renewServiceSecret(
  deps: TokenDependencies,
  { params: { id }, caller, request }: Call<typeof contract.renewServiceSecret>,
): Promise<IssuedAccount> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    if (!(await lockCaller(tx, caller))) throw unauthorized();
    const before = await lockChangeable(tx, id, caller);
    const { secret, hashed } = newTokenSecret();
    await updateToken(tx, id, { ...hashed, owner_id: account.id, last_used_at: null, last_used_ip: null });
    const after = existing(await findService(tx, id));
    await deps.notifyOwner(tx, tokenNotice({ caller, request }, after.name));
    const changes = [...changesBetween(serviceFields(before), serviceFields(after)), secretChange('token')];
    const event = { actor: account, entity: 'service_account', action: 'renew_secret', id, label: after.name, request, changes } as const;
    return recordAudit(tx, event, { service_account: toServiceAccount(after, { caller, now: deps.now() }), secret });
  });
}

/** Deletes a service account. Throws 404 if the caller does not see it, and 403 if it has permissions that the caller lacks. */
export async function deleteServiceAccount(
  { db }: Pick<TokenDependencies, 'db'>,
  { params: { id }, caller, request }: Call<typeof contract.deleteServiceAccount>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const { name } = await lockChangeable(tx, id, caller);
    await deleteToken(tx, id);
    return recordAudit(tx, { actor: caller.account, entity: 'service_account', action: 'delete', id, label: name, request });
  });
}

async function lockChangeable(tx: OpenTransaction, id: number, caller: SessionCaller): Promise<StoredToken> {
  const token = (await lockService(tx, id)) ? await findService(tx, id) : undefined;
  if (!token || !isVisible(token, caller)) throw notFound();
  if (!holdsEach(caller, token.permission_ids)) throw forbidden(grantMessages.permissions);
  return token;
}

function serviceFields(token: StoredToken): Record<string, unknown> {
  return { ...auditFields(token), owner: token.owner_name };
}

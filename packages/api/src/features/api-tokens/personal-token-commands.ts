import * as contract from '@switchyard/contract/api-tokens';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, existing, recordAudit, recordAudits, transaction } from '../../database/transaction.ts';
import { conflict, notFound, unauthorized } from '../../errors.ts';
import type { AccountCall, Call, SessionCaller } from '../../http/bind.ts';
import { lockCaller } from '../credentials/caller-lookup.ts';
import type { NotifyOwner, SecurityNotice } from '../security-mails/security-mails-lookup.ts';
import { insertToken, listPersonalTokens } from './api-tokens-store.ts';
import { revokeTokensOf } from './account-tokens-lookup.ts';
import { auditFields, expiryAfter, storedGrant } from './token-fields.ts';
import { requireGrantable } from './token-grants.ts';
import { toApiToken } from './token-mapper.ts';
import { newTokenSecret } from './token-secret.ts';

export type TokenDependencies = { db: Databases['db']; now: () => Date; notifyOwner: NotifyOwner };

/** The caller's own tokens, newest first. */
export async function listOwnTokens({ db, now }: TokenDependencies, caller: SessionCaller): Promise<contract.ApiToken[]> {
  return (await listPersonalTokens(db, caller.account.id)).map((token) => toApiToken(token, { caller, now: now() }));
}

/**
 * Creates a token for the caller. Throws 422 or 403 for rights that the caller may not grant, 409 for one token too many, and last
 * 403 if the caller did not sign in recently.
 */
export async function createOwnToken(
  deps: TokenDependencies,
  { caller, request, body }: Call<typeof contract.createOwnToken>,
): Promise<{ token: contract.ApiToken; secret: string }> {
  const { account } = caller;
  return transaction(deps.db, async (tx) => {
    const now = deps.now();
    const grant = storedGrant(body);
    await requireGrantable(tx, { caller, grant, kind: 'personal' });
    if (!(await lockCaller(tx, caller))) throw unauthorized();
    if ((await listPersonalTokens(tx, account.id)).length >= contract.apiTokenLimits.perAccount)
      throw conflict(contract.apiTokenMessages.tooMany);
    const { secret, hashed } = newTokenSecret();
    const { name, networks } = body;
    const expires = expiryAfter(body.expires_in_days, now);
    const fields = { kind: 'personal', owner_id: account.id, name, ...grant, networks, created_at: now, expires_at: expires } as const;
    const id = await insertToken(tx, { ...fields, ...hashed });
    await deps.notifyOwner(tx, tokenNotice({ caller, request }, name));
    const createdToken = existing((await listPersonalTokens(tx, account.id)).find((token) => token.id === id));
    const changes = changesBetween({}, auditFields(createdToken));
    const event = { actor: account, entity: 'api_token', action: 'create', id, label: name, request, changes } as const;
    return recordAudit(tx, event, { token: toApiToken(createdToken, { caller, now }), secret });
  });
}

/** The mail about a new token that acts in the name of the caller. */
export function tokenNotice({ caller: { account: actor }, request }: AccountCall, name: string): SecurityNotice {
  return { event: 'token_created', accountId: actor.id, actor, request, facts: [['API token', name]] };
}

/** Revokes one of the caller's tokens: it is unknown from the next call on. */
export async function revokeOwnToken(
  { db }: Pick<TokenDependencies, 'db'>,
  { params: { id }, caller: { account }, request }: Call<typeof contract.revokeOwnToken>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const events = await revokeTokensOf(tx, { ownerId: account.id, id, actor: account, request });
    if (events.length === 0) throw notFound();
    return recordAudits(tx, events, undefined);
  });
}

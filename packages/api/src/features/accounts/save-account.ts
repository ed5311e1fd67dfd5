import { accountMessages, testerBadge } from '@switchyard/contract/account-rules';
import type { CreateAccountBody, SaveAccountBody } from '@switchyard/contract/accounts';
import type { ChangeOwnPasswordBody } from '@switchyard/contract/own-sessions';
import type { Panel } from '@switchyard/contract/permissions';
import { randomBytes } from 'node:crypto';
import type { PasswordPolicy } from '../../adapters/common-passwords.ts';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import { stale } from '../../errors.ts';
import type { AccountCaller, Draft, RequestContext } from '../../http/bind.ts';
import { appsAfter, type AppsCall } from '../access-rules/app-rules-lookup.ts';
import { toEither, type ShownAccount } from './account-mapper.ts';
import { asLostRace, findAccountErrors, resolveRoles, sentApps, type SentAccount } from './judge-account.ts';
import { hasPasswordHash, type Tx } from './accounts-store.ts';
import { addAccount, changeAccount, show, type WriteCall, type WriteDependencies } from './write-account.ts';

export type SaveDependencies = WriteDependencies & {
  passwords: Pick<PasswordHash, 'hash'>;
  passwordPolicy: PasswordPolicy;
  /** Gives the stored hash of a password that proves to be the caller's, otherwise null; rejects with 429 after too many wrong ones. */
  provePassword: (claim: { account: { id: number; email: string }; password: string; request: RequestContext }) => Promise<string | null>;
  /** False when accounts sign in with Google only; those without a password get one that nobody knows. */
  needsPassword: boolean;
};

/** Creates an account (api [47], [57]). Refuses bad fields with 422, then what the creator may not grant with 403. */
export async function createAccount(
  deps: SaveDependencies,
  { panel, body, ...call }: WriteCall & { panel: Panel; body: Draft<CreateAccountBody> },
): Promise<ShownAccount> {
  const hashed = (await hashOf(deps, body.fields)) ?? (deps.needsPassword ? null : await unknownHash(deps));
  const apps = fullSet(body.fields);
  return racing(() =>
    addAccount(deps, { ...call, panel, apps }, async ({ tx, writer, roles, knownApps }) => {
      const judged = { ...deps, sent: body.fields, panel, before: null, caller: writer, roles, knownApps, isProven: null };
      const sent = body.judge(await findAccountErrors(tx, judged));
      if (hashed === null) throw new Error('An account without a password was let through');
      const roleIds = resolveRoles(sent.roles, roles).ids;
      const isTester = roles.some((role) => role.badge === testerBadge && roleIds.includes(role.id));
      const after = {
        name: sent.name,
        email: sent.email,
        hasAccess: sent.hasAccess ?? sent.has_access ?? true,
        isQa: sent.isQa ?? isTester,
        roleIds,
        apps: appsAfter({ scope: writer.scope, panel, before: null, call: apps }),
      };
      return { after, passwordHash: hashed };
    }),
  );
}

/**
 * Changes what a form sent of an account (api [49], [59]). Refuses, in this order: 404, 403 for an account above the
 * caller, 412 when `mayOverwrite` does not hold of the stored version, 422 for bad values, then by the rules of api 0.12.
 */
export async function saveAccount(
  deps: SaveDependencies,
  {
    body,
    mayOverwrite,
    ...call
  }: WriteCall & { id: number; panel: Panel; body: Draft<SaveAccountBody>; mayOverwrite: (version: number) => boolean },
): Promise<ShownAccount> {
  const proof = await ownPasswordProof(deps, { ...call, sent: body.fields });
  const passwordHash = proof === 'wrong' ? null : await hashOf(deps, body.fields);
  const apps = fullSet(body.fields);
  const saved = await racing(() =>
    changeAccount(deps, { ...call, apps, action: 'update' }, async ({ tx, writer, roles, knownApps, stored, before }) => {
      if (!mayOverwrite(stored.version)) throw stale(toEither(await show(tx, stored, writer.scope)));
      const { panel } = stored;
      const isProven = proof === null ? null : await holds(tx, stored.id, proof);
      const judged = {
        ...deps,
        sent: body.fields,
        panel,
        before: { ...before, id: stored.id },
        caller: writer,
        roles,
        knownApps,
        isProven,
      };
      const sent = body.judge(await findAccountErrors(tx, judged));
      const after = {
        name: sent.name ?? before.name,
        email: sent.email ?? before.email,
        hasAccess: sent.hasAccess ?? sent.has_access ?? before.hasAccess,
        isQa: sent.isQa ?? before.isQa,
        roleIds: sent.roles === undefined ? before.roleIds : resolveRoles(sent.roles, roles).ids,
        apps: appsAfter({ scope: writer.scope, panel, before: before.apps, call: apps }),
      };
      return { after, passwordHash };
    }),
  );
  if (saved === null) throw new Error(`Account ${call.id} was deleted by a save`);
  return saved;
}

/** Deletes an account softly and ends its sessions (api [50], [60]); a second time it is not found. */
export async function deleteAccount(deps: WriteDependencies, call: WriteCall & { id: number; panel: Panel }): Promise<void> {
  await changeAccount(deps, { ...call, apps: null, action: 'delete' }, () => ({ after: null }));
}

function fullSet(sent: SentAccount): AppsCall {
  const apps = sentApps(sent);
  return apps && { kind: 'set', ids: apps.ids };
}

/**
 * Changes the caller's own password (O39): whoever is signed in may, and only his current session goes on. Rejects with 422
 * a wrong current password, and with 429 after too many.
 */
export async function changeOwnPassword(
  deps: SaveDependencies,
  { body, caller, request }: { body: Draft<ChangeOwnPasswordBody>; caller: AccountCaller; request: RequestContext },
): Promise<void> {
  const { current_password: typed, password } = body.fields;
  if (typed === undefined || password === undefined) body.judge({});
  const { account } = caller;
  const weakness = deps.passwordPolicy.error(password ?? '', account.email);
  const hash = await deps.provePassword({ account, password: typed ?? '', request });
  const proof = hash === null ? 'wrong' : { hash };
  const passwordHash = hash === null || weakness !== null ? null : await deps.passwords.hash(password ?? '');
  const call = { id: account.id, caller, request, needs: null, apps: null, action: 'update' } as const;
  await changeAccount(deps, call, async ({ tx, stored, before }) => {
    const isProven = await holds(tx, stored.id, proof);
    body.judge({
      ...(isProven ? {} : { current_password: accountMessages.currentPassword }),
      ...(weakness === null ? {} : { password: weakness }),
    });
    return { after: before, passwordHash };
  });
}

/** What proves that somebody knows his own current password: its stored hash. */
type Proof = { hash: string } | 'wrong';

/** Whether a new password of the caller's own account comes with the current one (O39); null where none is needed. */
async function ownPasswordProof(
  { provePassword }: SaveDependencies,
  { id, panel, caller: { account }, request, sent }: WriteCall & { id: number; panel: Panel; sent: SentAccount },
): Promise<Proof | null> {
  const isOwn = id === account.id && panel === account.panel;
  if (!isOwn || sent.password === undefined || sent.password === null) return null;
  const { current_password: typed } = sent;
  const hash = typed === undefined || typed === null || typed === '' ? null : await provePassword({ account, password: typed, request });
  return hash === null ? 'wrong' : { hash };
}

/** Whether the proof is good in the turn of the write, too: the password may have been changed meanwhile. */
async function holds(tx: Tx, id: number, proof: Proof): Promise<boolean> {
  return proof !== 'wrong' && hasPasswordHash(tx, id, proof.hash);
}

/** Hashing takes tens of milliseconds, so it is over before the turn of the write begins. */
async function hashOf({ passwords }: SaveDependencies, { password }: SentAccount): Promise<string | null> {
  return password === undefined || password === null ? null : passwords.hash(password);
}

async function unknownHash({ passwords }: SaveDependencies): Promise<string> {
  return passwords.hash(randomBytes(32).toString('base64url'));
}

async function racing<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw asLostRace(error);
  }
}

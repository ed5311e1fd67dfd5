import { testerBadge } from '@switchyard/contract/account-rules';
import type { CreateAccountBody, SaveAccountBody } from '@switchyard/contract/accounts';
import type { Panel } from '@switchyard/contract/permissions';
import { randomBytes } from 'node:crypto';
import type { CommonPasswords } from '../../adapters/common-passwords.ts';
import type { PasswordHash } from '../../adapters/password-hash.ts';
import { stale } from '../../errors.ts';
import type { Draft } from '../../http/bind.ts';
import { appsAfter, type AppsCall } from '../access-rules/app-rules-lookup.ts';
import { toEither, type ShownAccount } from './account-mapper.ts';
import { asLostRace, findAccountErrors, resolveRoles, sentApps, type SentAccount } from './judge-account.ts';
import { addAccount, changeAccount, show, type WriteCall, type WriteDependencies } from './write-account.ts';

export type SaveDependencies = WriteDependencies & {
  passwords: Pick<PasswordHash, 'hash'>;
  commonPasswords: CommonPasswords;
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
      const judged = { ...deps, sent: body.fields, panel, before: null, caller: writer, roles, knownApps };
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
  const passwordHash = await hashOf(deps, body.fields);
  const apps = fullSet(body.fields);
  const saved = await racing(() =>
    changeAccount(deps, { ...call, apps, action: 'update' }, async ({ tx, writer, roles, knownApps, stored, before }) => {
      if (!mayOverwrite(stored.version)) throw stale(toEither(await show(tx, stored, writer.scope)));
      const { panel } = stored;
      const judged = { ...deps, sent: body.fields, panel, before: { ...before, id: stored.id }, caller: writer, roles, knownApps };
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

/** Hashing takes tens of milliseconds, so it is over before the turn of the write begins; common passwords are refused anyway. */
async function hashOf({ passwords, commonPasswords }: SaveDependencies, { password }: SentAccount): Promise<string | null> {
  if (password === undefined || password === null || commonPasswords.has(password)) return null;
  return passwords.hash(password);
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

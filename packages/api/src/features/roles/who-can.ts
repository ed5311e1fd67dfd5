import { wireDate } from '@switchyard/contract/dates';
import { anyPermission, sessionAccess, type Access } from '@switchyard/contract/endpoint';
import type { AccessObstacle } from '@switchyard/contract/roles';
import type { AbleAccount, AbleToken, whoCan, WhoCanAnswer } from '@switchyard/contract/who-can';
import { permissionId } from '@switchyard/contract/permissions';
import { commonScope, coversApps, isEmptyScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import { accessDenial, type Claimant } from '../../http/authenticate.ts';
import type { Call, SessionCaller } from '../../http/bind.ts';
import { listTokenHolders, seesToken, tokenRightsOf, type TokenHolder } from '../api-tokens/token-holders-lookup.ts';
import { listAccountHolders, rightsOf, type Holder } from '../credentials/caller-lookup.ts';
import { isKnownApp, listStoredRoles } from './roles-store.ts';

export type WhoCanDependencies = { db: Databases['db']; pools: Pick<Databases['pools'], 'ui'>; now: () => Date; demoIsOn: boolean };

/** Question: any call with this access, and an app if the call is on one. */
export type Question = { access: Access; appId: number | undefined };

/**
 * Lists who could make a call that needs the permission, on the app; everybody if neither is given. The rights of each account and
 * token are read and checked by the code that admits its calls. Throws 404 for an app that the caller does not see.
 */
export async function listWhoCan(
  { db, pools, now, demoIsOn }: WhoCanDependencies,
  { permission, appId }: Call<typeof whoCan>['query'],
  caller: SessionCaller,
): Promise<WhoCanAnswer> {
  if (appId !== undefined && !(coversApps(caller.scope, [appId]) && (await isKnownApp(db, appId)))) throw notFound();
  const question = { access: permission === undefined ? sessionAccess : anyPermission(permission), appId };
  const moment = { now: now(), demoIsOn };
  const [accounts, tokens, roles] = [
    await listAccountHolders(pools.ui, moment),
    await listTokenHolders(pools.ui, moment),
    await listStoredRoles(db, { scope: 'all' }),
  ];
  const wantedId = permission === undefined ? null : permissionId(permission);
  const granting = new Set(roles.filter((role) => wantedId === null || role.permissionIds.includes(wantedId)).map(({ id }) => id));
  const rolesOf = ({ role_ids: ids }: Holder): number[] => ids.filter((id) => granting.has(id)).toSorted((a, b) => a - b);
  const able = {
    accounts: accounts.flatMap((row) => (seesAccount(caller, row) ? toAbleAccount(row, question, rolesOf(row)) : [])),
    tokens: tokens.flatMap((row) => (seesToken(caller.scope, row) ? toAbleToken(row, question, rolesOf(row)) : [])),
  };
  const namedIds = new Set([...able.accounts, ...able.tokens].flatMap(({ role_ids: ids }) => ids));
  const named = roles.filter(({ id }) => namedIds.has(id)).map(({ id, label, badge, panel }) => ({ id, label, badge, panel }));
  return { ...able, roles: named, is_partial: caller.scope !== 'all' };
}

/** Whether the caller sees an account: restricted callers see themselves and those with which they share an app. */
export function seesAccount({ scope, account }: SessionCaller, row: Holder): boolean {
  return scope === 'all' || row.account_id === account.id || !isEmptyScope(commonScope(row.app_ids ?? 'all', scope));
}

function toAbleAccount(row: Holder, question: Question, roleIds: number[]): AbleAccount[] {
  const { account_id: id, name, panel } = row;
  const candidate = accountCandidate(row);
  const answer = resolve(question, candidate);
  if (!answer.isAble) return [];
  return [{ id, name, panel, has_all_apps: candidate.claimant.scope === 'all', role_ids: roleIds, obstacle: answer.obstacle }];
}

function toAbleToken(row: TokenHolder, question: Question, roleIds: number[]): AbleToken[] {
  const candidate = tokenCandidate(row);
  const answer = resolve(question, candidate);
  if (!answer.isAble) return [];
  return [
    {
      id: row.token_id,
      name: row.token_name,
      kind: row.kind,
      owner: { id: row.account_id, name: row.name, panel: row.panel },
      has_all_apps: candidate.claimant.scope === 'all',
      role_ids: roleIds,
      obstacle: answer.obstacle,
      expires_at: wireDate(row.expires_at),
    },
  ];
}

/** The rights of an account or a token. */
export type Candidate = { claimant: Claimant; mayAct: boolean; isUnexpired: boolean };
type Resolution = { isAble: false } | { isAble: true; obstacle: AccessObstacle | null };

/** The rights of an account, as its calls have them. */
export function accountCandidate(row: Holder): Candidate {
  return { claimant: { ...rightsOf(row), by: { kind: 'session' } }, mayAct: row.may_act, isUnexpired: true };
}

/** The rights of a token, as its calls have them. */
export function tokenCandidate(row: TokenHolder): Candidate {
  return { claimant: tokenRightsOf(row), mayAct: row.may_act, isUnexpired: row.is_unexpired };
}

/** Whether somebody holds what is asked, and if so, what keeps them from using it now. */
export function resolve({ access, appId }: Question, { claimant, mayAct, isUnexpired }: Candidate): Resolution {
  const isInScope = appId === undefined || coversApps(claimant.scope, [appId]);
  if (!isInScope || accessDenial(access, { ...claimant, mustSetUpFactor: false }) !== null) return { isAble: false };
  if (!mayAct) return { isAble: true, obstacle: 'no_access' };
  if (!isUnexpired) return { isAble: true, obstacle: 'expired' };
  return { isAble: true, obstacle: accessDenial(access, claimant) === null ? null : 'second_factor' };
}

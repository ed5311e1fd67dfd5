import { anyPermission } from '@switchyard/contract/endpoint';
import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import type { AccessObstacle, previewRole, RolePreview } from '@switchyard/contract/roles';
import { FieldErrors, notFound } from '../../errors.ts';
import type { Call } from '../../http/bind.ts';
import { listTokenHolders, seesToken } from '../api-tokens/token-holders-lookup.ts';
import { listAccountHolders, type Holder } from '../credentials/caller-lookup.ts';
import { unknownPermission } from './role-rules.ts';
import { listStoredRoles } from './roles-store.ts';
import { accountCandidate, resolve, seesAccount, tokenCandidate, type Candidate, type WhoCanDependencies } from './who-can.ts';

/**
 * Lists who would gain or lose which permissions if the role had others: the difference of what Who can says before and after. Who has
 * a permission by another role as well neither gains nor loses it. Throws 404 for an unknown role, 422 for a permission of another panel.
 */
export async function listPreview(
  { db, pools, now, demoIsOn }: WhoCanDependencies,
  { params: { id }, query: { permission_ids: permissionIds = [] }, caller }: Call<typeof previewRole>,
): Promise<RolePreview> {
  const roles = await listStoredRoles(db, { scope: 'all' });
  const role = roles.find((each) => each.id === id);
  if (role === undefined) throw notFound();
  const unknown = unknownPermission(permissionIds, role.panel);
  if (unknown !== null) throw new FieldErrors({ permission_ids: [unknown] });
  const moment = { now: now(), demoIsOn };
  const [accounts, tokens] = [await listAccountHolders(pools.ui, moment), await listTokenHolders(pools.ui, moment)];

  const before = new Map(roles.map((each) => [each.id, each.permissionIds]));
  const after = new Map(before).set(id, permissionIds);
  const changed = permissionCatalogue.filter((each) => role.permissionIds.includes(each.id) !== permissionIds.includes(each.id));
  const labels = changed.map(({ label }) => label);
  /** A row of the change, or none. */
  function changeOf<Row extends Holder, Shown>(row: Row, toCandidate: (row: Row) => Candidate, shown: Shown) {
    if (!row.role_ids.includes(id)) return [];
    const holding = (granted: ReadonlyMap<number, readonly number[]>) =>
      toCandidate({ ...row, permission_ids: row.role_ids.flatMap((roleId) => granted.get(roleId) ?? []) });
    const { gains, loses, obstacle } = differenceOf(holding(before), holding(after), labels);
    return gains.length + loses.length === 0 ? [] : [{ ...shown, obstacle, gains, loses }];
  }
  return {
    accounts: accounts.flatMap((row) => {
      const { account_id: accountId, name, panel } = row;
      return seesAccount(caller, row) ? changeOf(row, accountCandidate, { id: accountId, name, panel }) : [];
    }),
    tokens: tokens.flatMap((row) => {
      const owner = { id: row.account_id, name: row.name, panel: row.panel };
      const shown = { id: row.token_id, name: row.token_name, kind: row.kind, owner };
      return seesToken(caller.scope, row) ? changeOf(row, tokenCandidate, shown) : [];
    }),
    is_partial: caller.scope !== 'all',
  };
}

/** Which of the permissions somebody has only after or only before, and what keeps them from using them. */
function differenceOf(before: Candidate, after: Candidate, labels: readonly Permission[]) {
  const gains: Permission[] = [];
  const loses: Permission[] = [];
  let obstacle: AccessObstacle | null = null;
  for (const label of labels) {
    const question = { access: anyPermission(label), appId: undefined };
    const [was, is] = [resolve(question, before), resolve(question, after)];
    if (was.isAble === is.isAble) continue;
    (is.isAble ? gains : loses).push(label);
    obstacle = is.isAble ? is.obstacle : was.isAble ? was.obstacle : null;
  }
  return { gains, loses, obstacle };
}

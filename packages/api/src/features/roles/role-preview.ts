import { anyPermission } from '@switchyard/contract/endpoint';
import { permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import type { AccessObstacle, previewRole, RolePreview } from '@switchyard/contract/roles';
import { FieldErrors, notFound } from '../../errors.ts';
import type { Call } from '../../http/bind.ts';
import type { Holder } from '../credentials/caller-lookup.ts';
import { unknownPermission } from './role-rules.ts';
import { listRoleGrants } from './roles-store.ts';
import {
  accountCandidate,
  listHolders,
  createRoleSets,
  resolve,
  sortByName,
  tokenCandidate,
  type Candidate,
  type RoleSet,
  type Question,
  type WhoCanDependencies,
} from './who-can.ts';

/**
 * Lists who would gain or lose which permissions if the role had others: the difference of what Who can says before and after. Who has
 * a permission by another role as well neither gains nor loses it. Throws 404 for an unknown role, 422 for a permission of another panel.
 */
export async function listPreview(
  { db, pools, now, demoIsOn }: WhoCanDependencies,
  { params: { id }, query: { permission_ids: permissionIds = [] }, caller }: Call<typeof previewRole>,
): Promise<RolePreview> {
  const roles = await listRoleGrants(db);
  const role = roles.find((each) => each.id === id);
  if (role === undefined) throw notFound();
  const unknown = unknownPermission(permissionIds, role.panel);
  if (unknown !== null) throw new FieldErrors({ permission_ids: [unknown] });
  const { accounts, tokens } = await listHolders(pools.ui, caller, { now: now(), demoIsOn, roleIds: [id], appIds: [] });
  const granted = new Map(roles.map((each) => [each.id, each.permissionIds]));
  const [before, after] = [createRoleSets(granted), createRoleSets(new Map(granted).set(id, permissionIds))];
  const changed = permissionCatalogue.filter((each) => role.permissionIds.includes(each.id) !== permissionIds.includes(each.id));
  const questions = changed.map(({ label }) => ({ label, access: anyPermission(label), appId: undefined }));
  /** A row of the change, or none. */
  function changeOf<Row extends Holder, Shown>(row: Row, toCandidate: (row: Row, roleSet: RoleSet) => Candidate, shown: Shown) {
    const { gains, loses, obstacle } = differenceOf(
      toCandidate(row, before(row.role_set)),
      toCandidate(row, after(row.role_set)),
      questions,
    );
    return gains.length + loses.length === 0 ? [] : [{ ...shown, obstacle, gains, loses }];
  }
  return {
    accounts: sortByName(
      accounts.flatMap((row) => {
        const { account_id: accountId, name, panel } = row;
        return changeOf(row, accountCandidate, { id: accountId, name, panel });
      }),
    ),
    tokens: sortByName(
      tokens.flatMap((row) => {
        const owner = { id: row.account_id, name: row.name, panel: row.panel };
        const shown = { id: row.token_id, name: row.token_name, kind: row.kind, owner };
        return changeOf(row, tokenCandidate, shown);
      }),
    ),
    is_partial: caller.scope !== 'all',
  };
}

/** Which of the permissions somebody has only after or only before, and what keeps them from using them. */
function differenceOf(before: Candidate, after: Candidate, questions: readonly (Question & { label: Permission })[]) {
  const gains: Permission[] = [];
  const loses: Permission[] = [];
  let obstacle: AccessObstacle | null = null;
  for (const question of questions) {
    const [was, is] = [resolve(question, before), resolve(question, after)];
    if (was.isAble === is.isAble) continue;
    (is.isAble ? gains : loses).push(question.label);
    obstacle = is.isAble ? is.obstacle : was.isAble ? was.obstacle : null;
  }
  return { gains, loses, obstacle };
}

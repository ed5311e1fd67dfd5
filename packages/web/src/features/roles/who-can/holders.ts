import { comparableText, compareNames } from '@switchyard/contract/text-fields';
import type { Panel } from '@switchyard/contract/permissions';
import type { AccessObstacle } from '@switchyard/contract/roles';
import type { WhoCanAnswer } from '@switchyard/contract/who-can';
import { pageOf } from '../../../shared/listing/page-of.ts';
import type { holderKinds, WhoCanQuery } from './who-can-query.ts';

/** A role that gives the permission. */
export type GivingRole = WhoCanAnswer['roles'][number];

/** An account or a token that can, as a row of the list. */
export type HolderRow = {
  readonly key: string;
  readonly kind: (typeof holderKinds)[number];
  readonly name: string;
  /** The account itself, or the owner of the token. */
  readonly account: { readonly id: number; readonly name: string; readonly panel: Panel };
  readonly roles: readonly GivingRole[];
  readonly hasAllApps: boolean;
  readonly obstacle: AccessObstacle | null;
};

/** The rows of an answer: accounts, then tokens. */
export function holderRows({ accounts, tokens, roles }: WhoCanAnswer): HolderRow[] {
  const byId = new Map(roles.map((role) => [role.id, role]));
  const rolesOf = (ids: readonly number[]): GivingRole[] => ids.flatMap((id) => byId.get(id) ?? []);
  return [
    ...accounts.map(({ id, name, panel, role_ids: ids, has_all_apps: hasAllApps, obstacle }) => ({
      key: `account-${id}`,
      kind: 'account' as const,
      name,
      account: { id, name, panel },
      roles: rolesOf(ids),
      hasAllApps,
      obstacle,
    })),
    ...tokens.map(({ id, name, kind, owner, role_ids: ids, has_all_apps: hasAllApps, obstacle }) => ({
      key: `token-${id}`,
      kind,
      name,
      account: owner,
      roles: rolesOf(ids),
      hasAllApps,
      obstacle,
    })),
  ];
}

function matches(row: HolderRow, { search, kind, now }: WhoCanQuery): boolean {
  const needle = comparableText(search ?? '');
  const texts = [row.name, row.account.name, ...row.roles.map(({ label }) => label)];
  const isFound = texts.some((text) => comparableText(text).includes(needle));
  return isFound && (kind === undefined || row.kind === kind) && (now === undefined || (row.obstacle === null) === (now === 'can'));
}

/** The page that a query asks for out of all rows. */
export function arrangeHolders(rows: readonly HolderRow[], query: WhoCanQuery) {
  const direction = query.orderDirection === 'asc' ? 1 : -1;
  const textOf = (row: HolderRow): string => (query.orderBy === 'keyName' ? row.name : row.account.name);
  const found = rows.filter((row) => matches(row, query));
  return pageOf(
    found.toSorted((a, b) => direction * (compareNames(textOf(a), textOf(b)) || a.key.localeCompare(b.key))),
    query,
  );
}

import { comparableText, compareNames } from '@switchyard/contract/text-fields';
import { pageOf } from '@switchyard/contract/page-of';
import type { HolderRow, HoldersQuery, WhoCanAnswer } from '@switchyard/contract/who-can';

/** The rows of an answer: accounts, then tokens. */
export function holderRows({ accounts, tokens, roles }: WhoCanAnswer): HolderRow[] {
  const byId = new Map(roles.map((role) => [role.id, role]));
  const rolesOf = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? []);
  return [
    ...accounts.map(({ id, name, panel, role_ids: ids, ...rights }) => ({
      key: `account-${id}`,
      kind: 'account' as const,
      name,
      account: { id, name, panel },
      roles: rolesOf(ids),
      has_all_apps: rights.has_all_apps,
      obstacle: rights.obstacle,
    })),
    ...tokens.map(({ id, name, kind, owner, role_ids: ids, ...rights }) => ({
      key: `token-${id}`,
      kind,
      name,
      account: owner,
      roles: rolesOf(ids),
      has_all_apps: rights.has_all_apps,
      obstacle: rights.obstacle,
    })),
  ];
}

/** Whether a row passes the filters of a query. */
function createFilter({ search, kind, accountId, now }: HoldersQuery): (row: HolderRow) => boolean {
  const needle = comparableText(search ?? '');
  const isFound = (text: string): boolean => comparableText(text).includes(needle);
  return (row) =>
    (kind === undefined || row.kind === kind) &&
    (accountId === undefined || accountId.includes(row.account.id)) &&
    (now === undefined || (row.obstacle === null) === (now === 'can')) &&
    (needle === '' || isFound(row.name) || isFound(row.account.name) || row.roles.some(({ label }) => isFound(label)));
}

/** The page that a query asks for out of all rows. */
export function arrangeHolders(rows: readonly HolderRow[], query: HoldersQuery) {
  const direction = query.orderDirection === 'asc' ? 1 : -1;
  const textOf = (row: HolderRow): string => (query.orderBy === 'keyName' ? row.name : row.account.name);
  const found = rows.filter(createFilter(query));
  return pageOf(
    found.toSorted((a, b) => direction * (compareNames(textOf(a), textOf(b)) || a.key.localeCompare(b.key))),
    query,
  );
}

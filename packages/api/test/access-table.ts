import { decidesRecentSignIn, describeRecentSignIn, type Endpoint } from '@switchyard/contract/endpoint';
import { allRequestFilters } from '@switchyard/contract/requests';
import type { AccessCaller } from './access-callers.ts';

/** The responses of a call to every caller. */
export type AccessRow = { endpoint: Endpoint; answers: readonly { caller: AccessCaller; status: number }[] };

const shownRoles = ['Super Admin', 'Admin', 'App Manager', 'Log Reviewer', 'Buyer', 'QA', 'Super Buyer'];

const head = `# Access matrix

The status of every call for each kind of caller, as \`access-matrix.http.test.ts\` measures them. The test fails if this table differs,
so a change of access shows in the review of this file; \`npx vitest run access-matrix -u\` rewrites it. Calls are made as the
[contract](specification/api.md) says in section 15: \`{}\` as body, no query, an id that does not exist. 404, 415 and 422 therefore mean that the caller was let in.

- **Stranger**: no token, an unknown one, one of a session that ended or idled, of an account without access, of a deleted or a barred traffic server.
- **Server**: the token of a traffic server.
- **Factor due**: an account with every permission of staff that first has to set up a second factor.
- **None**: an account without any permission. The next columns are the seeded roles; all of these accounts see all apps.
- **Token**: an API token with all permissions of its owner, a super admin who sees all apps.
- **Recent sign-in**: whether sessions need a sign-in or a confirmation of the last 15 minutes: always, or for a change of these
  fields. –: reads need none unless stated. Tokens pass.
- **Single permissions**: accounts that hold just one of the permissions of staff, here without \`manager_\`.
`;

/** The matrix as a page in Markdown, a line for each call. */
export function accessTable(rows: readonly AccessRow[]): string {
  const columns = ['Call', 'Stranger', 'Server', 'Factor due', 'None', ...shownRoles, 'Token', 'Recent sign-in', 'Single permissions'];
  const lines = rows.map(({ endpoint, answers }) => {
    const { number, method, path } = endpoint;
    const of = (test: (caller: AccessCaller) => boolean) =>
      [...new Set(answers.filter(({ caller }) => test(caller)).map(({ status }) => status))].join('/');
    return [
      `[${number}] ${method} ${path}`,
      of(({ kind }) => kind === 'stranger'),
      of(({ kind }) => kind === 'traffic-server'),
      of(({ name }) => name === 'factor due'),
      of(({ name }) => name === 'no permission'),
      ...shownRoles.map((role) => of(({ name }) => name === role)),
      of((caller) => caller.kind === 'account' && caller.byToken === true),
      describeRecentSignIn(endpoint) ?? (decidesRecentSignIn(endpoint) ? 'no' : '–'),
      singles(answers),
    ];
  });
  return `${head}\n${[columns, columns.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function singles(answers: AccessRow['answers']): string {
  const byStatus = new Map<number, string[]>();
  for (const { caller, status } of answers)
    if (caller.kind === 'account' && caller.single !== undefined)
      byStatus.set(status, [...(byStatus.get(status) ?? []), caller.single.replace('manager_', '')]);
  const [most, ...others] = [...byStatus].sort(([, one], [, other]) => other.length - one.length);
  const otherStatuses = others.map(([status, names]) => `${status}: ${names.join(', ')}`);
  return [...otherStatuses, `${others.length === 0 ? 'all' : 'others'}: ${most?.[0]}`].join('; ');
}

/** A call as the contract declares it: who may make it, the status that others get, and the status that a probe by an entitled caller gets. */
export type MatrixRow = { needs: readonly string[]; without: string; probe: number };

/** Who may make a call, in the words of the contract's table. */
export function needsOf({ access }: Endpoint): readonly string[] {
  if (access.kind === 'permissions') return access.anyOf;
  return [access.kind === 'traffic-server' ? 'server token' : access.kind];
}

/** A document with its lists of further calls, of their filters and of recent sign-ins as the contract states them. Throws if it lacks one. */
export function withGeneratedLists(page: string, endpoints: readonly Endpoint[], furtherCalls: ReadonlyMap<Endpoint, MatrixRow>): string {
  const calls = [...furtherCalls].map(
    ([endpoint, { needs, without, probe }]) => `| ${titleOf(endpoint)} | ${needs.join(', ')} | ${without} | ${probe} |`,
  );
  const recent = endpoints.flatMap((endpoint) => {
    const recentSignIn = describeRecentSignIn(endpoint);
    return recentSignIn === null ? [] : [`| ${titleOf(endpoint)} | ${recentSignIn} |`];
  });
  const filters = Object.entries(allRequestFilters).flatMap(([name, { description }]) =>
    description === undefined ? [] : [`| \`${name}\` | ${description} |`],
  );
  const withFilters = withList(page, 'further filters', ['| Parameter | Finds |', '|---|---|', ...filters]);
  const withCalls = withList(withFilters, 'further calls', ['| Call | Needs | Without | Probe |', '|---|---|---|---|', ...calls]);
  return withList(withCalls, 'recent sign-in', ['| Call | Recent sign-in |', '|---|---|', ...recent]);
}

function titleOf({ number, method, path }: Endpoint): string {
  return `[${number}] ${method} ${path}`;
}

function withList(page: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`<!-- ${name}: generated from the contract -->`, `<!-- end of ${name} -->`];
  const [intro, rest] = page.split(begin);
  const tail = rest?.split(end)[1];
  if (intro === undefined || tail === undefined) throw new Error(`The document has no list of ${name}`);
  return [`${intro}${begin}`, '', ...lines, '', `${end}${tail}`].join('\n');
}

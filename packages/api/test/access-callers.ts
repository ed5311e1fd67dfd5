import { permissionCatalogue, seededRoles, type Permission } from '@switchyard/contract/permissions';
import type { TestApi } from './build-test-api.ts';
import { makeApiToken, signInAs, signInAsServer, type Account } from './sign-in-as.ts';

/** Who makes the calls of the access matrix: somebody without a valid token, a traffic server, or an account that sees all apps. */
export type AccessCaller =
  | { kind: 'stranger'; name: string; headers: Record<string, string> }
  | { kind: 'traffic-server'; name: string; headers: Record<string, string> }
  | {
      kind: 'account';
      name: string;
      /** Id of the account, or of the API token. */
      id: number;
      headers: Record<string, string>;
      /** A session of its own, for calls that end it. */
      again: () => Promise<Record<string, string>>;
      permissions: readonly Permission[];
      /** Whether the account is called by an API token with all of its permissions. */
      byToken?: true;
      /** Set where the account holds nothing but this. */
      single?: Permission;
      /** Set where the account first has to set up a second factor. */
      mustSetUpFactor?: true;
    };

const hour = 3_600_000;

/** Every kind of caller that the matrix distinguishes. */
export async function accessCallers({ databases, now }: Pick<TestApi, 'databases' | 'now'>): Promise<AccessCaller[]> {
  const hourAgo = new Date(now().getTime() - hour);
  const signIn = async (account: Account) => signInAs(databases, { since: now(), ...account });
  const sign = async (account: Account): Promise<Record<string, string>> => (await signIn(account)).headers;
  const account = async (
    name: string,
    permissions: readonly Permission[],
    accountFields: Account,
  ): Promise<AccessCaller & { kind: 'account' }> => {
    const again = async () => sign(accountFields);
    const { accountId: id, headers } = await signIn(accountFields);
    return { kind: 'account', name, id, permissions, headers, again };
  };
  const [server, deletedServer, barredPerson] = [
    await signInAsServer(databases),
    await signInAsServer(databases, { deletedAt: now() }),
    await signInAsServer(databases, { ingestEnabled: false }),
  ];
  const callers: AccessCaller[] = [
    stranger('no token', {}),
    stranger('unknown token', { authorization: `Bearer swy_${'x'.repeat(43)}` }),
    stranger('expired session', await sign({ role: 'Super Admin', since: hourAgo, lifetime: hour - 1 })),
    stranger('idle session', await sign({ role: 'Super Admin', since: hourAgo })),
    stranger('account without access', await sign({ role: 'Super Admin', hasAccess: false })),
    stranger('deleted server', deletedServer.headers),
    stranger('barred server', barredPerson.headers),
    { kind: 'traffic-server', name: 'server', headers: server.headers },
    await account('no permission', [], {}),
  ];
  const all = permissionCatalogue.flatMap(({ label, panel }) => (panel === 'user' ? [label] : []));
  callers.push({ ...(await account('factor due', all, { permissions: all, needsFactor: true })), mustSetUpFactor: true });
  const { accountId: ownerId } = await signInAs(databases, { role: 'Super Admin' });
  const { headers, tokenId: id } = await makeApiToken(databases, { ownerId });
  callers.push({ kind: 'account', name: 'API token', id, permissions: all, headers, again: async () => headers, byToken: true });
  for (const { name, panel, permissions } of seededRoles) callers.push(await account(name, permissions, { role: name, panel }));
  for (const { label } of permissionCatalogue.filter(({ panel }) => panel === 'user'))
    callers.push({ ...(await account(label, [label], { permissions: [label] })), single: label });
  return callers;
}

function stranger(name: string, headers: Record<string, string>): AccessCaller {
  return { kind: 'stranger', name, headers };
}

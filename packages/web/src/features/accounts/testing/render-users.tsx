import { accountRow, matchesFilters, saveAccountBody, type Account, type Buyer } from '@switchyard/contract/accounts';
import { pageOf } from '@switchyard/contract/page-of';
import { readQuery } from '@switchyard/contract/listing';
import { listAccountsPage } from '@switchyard/contract/users';
import type { Permission } from '@switchyard/contract/permissions';
import type { RoleChoice } from '@switchyard/contract/roles';
import type { SessionUser } from '@switchyard/contract/session';
import type { Settings } from '@switchyard/contract/settings';
import { page } from 'vitest/browser';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { loadSettings } from '../../../shared/settings.ts';
import { renderPages } from '../../../testing/render-pages.tsx';
import { stubApi } from '../../../testing/stub-api.ts';
import { CreateBuyerPage, CreateUserPage } from '../create/create-account-page.tsx';
import { EditBuyerPage, EditUserPage } from '../edit/edit-account-page.tsx';
import { UsersPage } from '../list/users-page.tsx';
import { sampleAccount, sampleBuyer, sampleRow } from './sample-account.ts';

/** A call that the page made of the test's server. */
export type AskedCall = { readonly method: string; readonly path: string; readonly body: unknown; readonly ifMatch: string | null };

type Answer = { readonly status: number; readonly body?: unknown };

type UsersOptions = {
  address: string;
  permissions?: readonly Permission[];
  /** Changes to the reader, who sees all apps and is no super admin. */
  reader?: Partial<SessionUser>;
  loginMethods?: Settings['loginMethods'];
  user?: Account;
  buyer?: Account;
  /** Buyers that the reader may not change. */
  readOnlyIds?: readonly number[];
  /** Answers a call; null leaves it to the test's server. */
  answer?: (call: AskedCall) => Answer | Promise<Answer> | null;
};

const choice = (id: number, label: string, badge: string, panel: RoleChoice['panel']): RoleChoice => {
  return { id, name: label, label, badge, panel, assignable: true };
};
const staffRoles = [
  { ...choice(1, 'Super Admin', 'S', 'user'), assignable: false },
  choice(2, 'Admin', 'A', 'user'),
  choice(3, 'App Manager', 'M', 'user'),
  choice(4, 'Log Reviewer', 'T', 'user'),
];
const buyerRoles = [choice(5, 'Buyer', 'B', 'buyer'), choice(6, 'QA', 'QA', 'buyer'), choice(7, 'Super Buyer', 'SB', 'buyer')];
const apps = [12, 14, 15].map((id) => {
  const bundle = `com.app${id}.x`;
  return { id, name: `App ${id}`, bundle, domain: `app${id}.example`, label: `App ${id} (${bundle})` };
});
const badgeByLabel = new Map([...staffRoles, ...buyerRoles].map(({ label, badge }) => [label, badge]));

export const ok = (data: unknown, status = 200): Answer => ({ status, body: { success: true, data } });
export const refusal = (status: number, message: string, more: object = {}): Answer => ({
  status,
  body: { success: false, message, ...more },
});

/** A 422 about one field. */
export function invalid(field: string, text: string): Answer {
  const errors = { [field]: [text] };
  return refusal(422, 'The given data was invalid.', { errors, data: { errors } });
}

function respond({ status, body }: Answer): Response {
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
}

const rights = [
  'manager_user_create',
  'manager_user_buyer_create',
  'manager_user_edit',
  'manager_user_deactivate',
  'manager_app_statistics',
] as const;

type SomeAccount = Account & Partial<Pick<Buyer, 'app_ids'>>;

/** An account as the API answers its creation or saving. */
export function writtenAccount(account: SomeAccount, body: unknown, version = account.version + 1): SomeAccount {
  const { has_access: hasAccess, app_ids: appIds, roles: roleIds, name, email, isQa } = saveAccountBody.parse(body);
  const roles = roleIds?.map(String);
  return {
    ...account,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(isQa === undefined ? {} : { isQa }),
    ...(hasAccess === undefined ? {} : { hasAccess }),
    ...(appIds === undefined ? {} : { appIds, app_ids: appIds }),
    ...(roles === undefined ? {} : { roles, badges: roles.flatMap((label) => badgeByLabel.get(label) ?? []) }),
    version,
  };
}

const noBelongings = {
  views: [],
  boards: [],
  tiles: [],
  service_accounts: [],
  rules: [],
  schedules: [],
  silences: [],
  private_views: 0,
  private_tiles: 0,
  personal_tokens: 0,
  sessions: 0,
};

/** A page with all of these rows. */
const paged = (rows: readonly unknown[]): Answer => ({ status: 200, body: { success: true, ...pageOf(rows, { page: 1, limit: 100 }) } });

/** Opens an address of the console's users pages over a server of the test's own; gives its calls and the history. */
export async function renderUsers(options: UsersOptions) {
  const { address, permissions = rights, reader = {}, loginMethods = 'email', readOnlyIds = [], answer } = options;
  let user: SomeAccount = options.user ?? sampleAccount;
  let buyer: SomeAccount = options.buyer ?? { ...sampleBuyer, roles: ['Buyer'], badges: ['B'], appIds: [12, 14] };
  const calls: AskedCall[] = [];
  const accountsPage = (search: string): Answer => {
    const query = listAccountsPage.query.parse(readQuery(search));
    const accounts = query.panel === 'buyer' ? [buyer] : [{ ...sampleRow, id: 1, name: 'Olga' }, user];
    const rows = accounts.map((account) => {
      const { appIds: _appIds, ...row } = accountRow.parse(account);
      const factor = { has_factor: row.id === 1, required: true };
      const second_factor = permissions.includes('manager_user_edit') ? factor : null;
      return { ...row, second_factor, is_read_only: readOnlyIds.includes(row.id) };
    });
    const wanted = { set_up: true, none: false, due: false };
    return paged(
      rows.filter(
        (row) =>
          matchesFilters(row, query) && (query.secondFactor === undefined || row.second_factor?.has_factor === wanted[query.secondFactor]),
      ),
    );
  };
  const taken = (search: string): Answer => {
    const query = new URLSearchParams(search);
    const others = [
      { name: 'Taken Name', email: 'taken@example.com', panel: 'user', id: 9 },
      { ...buyer, panel: 'buyer' },
      { ...user, panel: 'user' },
    ].filter(({ id }) => String(id) !== query.get('exceptId'));
    return ok({
      name: others.some(({ name, panel }) => name === query.get('name') && panel === (query.get('panel') ?? 'user')),
      email: others.some(({ email }) => email.toLowerCase() === query.get('email')?.toLowerCase()),
    });
  };
  const own: Record<string, (body: unknown, search: string) => Answer> = {
    'GET settings': () =>
      ok({ appTitle: 'S', productName: 'S', version: '1', loginMethods, hideDocs: false, hideOnlyCf: false, buyerPanelUrl: null }),
    'GET accounts': (_body, search) => accountsPage(search),
    'GET accounts/taken': (_body, search) => taken(search),
    'GET buyers/read-only': () => ok(readOnlyIds),
    'POST users': (body) => ok((user = writtenAccount(user, body, 1)), 201),
    'POST buyers': (body) => ok((buyer = writtenAccount(buyer, body, 1)), 201),
    [`PUT users/${user.id}`]: (body) => ok((user = writtenAccount(user, body))),
    [`PUT buyers/${buyer.id}`]: (body) => ok((buyer = writtenAccount({ ...buyer, app_ids: buyer.appIds }, body))),
    'POST sanctum/password-check': () => ok({ error: null }),
    'GET roles/users/list': () => ok(staffRoles),
    'GET roles/buyers/list': () => ok(buyerRoles),
    'GET picks/apps': (_body, search) =>
      paged(search.includes('exceptAccount') ? apps.filter(({ id }) => !user.appIds.includes(id)) : apps),
    [`GET users/${user.id}`]: () => ok(user),
    [`GET buyers/${buyer.id}`]: () => ok({ ...buyer, app_ids: buyer.appIds }),
    [`GET users/${user.id}/sessions`]: () => ok({ last_active_at: null, sessions: [] }),
    [`GET users/${buyer.id}/sessions`]: () => ok({ last_active_at: null, sessions: [] }),
    [`GET users/${user.id}/second-factors`]: () => ok({ factors: [], required: false }),
    [`GET users/${buyer.id}/second-factors`]: () => ok({ factors: [], required: false }),
    [`GET users/${user.id}/belongings`]: () => ok(noBelongings),
    [`GET buyers/${buyer.id}/belongings`]: () => ok(noBelongings),
    [`GET users/${user.id}/tokens`]: () => ok([]),
    [`GET users/${buyer.id}/tokens`]: () => ok([]),
    [`GET users/${user.id}/permissions`]: () => ok([]),
    [`GET users/${buyer.id}/permissions`]: () => ok([]),
  };
  stubApi(async (url, init) => {
    const { pathname, search } = new URL(url, 'http://console');
    const path = pathname.replace('/api/', '');
    const sentBody: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const call = { method: init.method, path, body: sentBody, ifMatch: new Headers(init.headers).get('if-match') };
    calls.push(call);
    return respond((await answer?.(call)) ?? own[`${call.method} ${path}`]?.(sentBody, search) ?? refusal(404, 'Not found'));
  });
  const basis = {
    id: 1,
    name: 'Olga',
    email: 'o@x.y',
    panel: 'user',
    roles: ['Admin'],
    badges: ['A'],
    hasAllApps: true,
    isSuperAdmin: false,
  } as const;
  sessionStore.open({
    user: { ...basis, roles: [...basis.roles], badges: [...basis.badges], permissions: [...permissions], ...reader },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await loadSettings();
  const history = await renderPages(
    [
      ['/users', 'Users', UsersPage],
      ['/users/add', 'Create user', CreateUserPage],
      ['/users/buyers/add', 'Create buyer', CreateBuyerPage],
      ['/users/$id/edit', 'Edit user', EditUserPage],
      ['/users/buyers/$id/edit', 'Edit buyer', EditBuyerPage],
    ],
    ['/before', address],
  );
  return { calls, history };
}

/** The calls that store something. */
export function writes(calls: readonly AskedCall[]): AskedCall[] {
  return calls.filter(({ method, path }) => method !== 'GET' && path !== 'sanctum/password-check');
}

export const field = (label: string) => page.getByLabelText(label, { exact: true });
export const box = (label: string) => page.getByRole('checkbox', { name: label, exact: true });
export const button = (name: string) => page.getByRole('button', { name, exact: true });

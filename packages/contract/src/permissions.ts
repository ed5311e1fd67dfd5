/** The two panels: staff work in this console (`user`), buyers in the buyer panel (`buyer`). */
export const panels = ['user', 'buyer'] as const;
export type Panel = (typeof panels)[number];

/**
 * All permissions in id order, with fixed ids. Accounts have labels, and endpoints require them. `ignoresScope`: its calls are about
 * nothing that belongs to an app, unless a test of app scope says otherwise.
 */
export const permissionCatalogue = [
  {
    id: 1,
    label: 'manager_app_view_all',
    panel: 'user',
    description: 'Start at the apps list after signing in. It does not decide which apps are shown',
  },
  { id: 2, label: 'manager_app_create', panel: 'user', description: 'Create apps' },
  { id: 3, label: 'manager_app_edit', panel: 'user', description: 'Edit apps' },
  { id: 4, label: 'manager_app_edit_domain_bundle', panel: 'user', description: 'Change the bundle and the domain of an existing app' },
  { id: 5, label: 'manager_app_delete', panel: 'user', description: 'Archive and restore apps' },
  { id: 6, label: 'manager_app_requests', panel: 'user', description: "See an app's requests" },
  { id: 7, label: 'manager_app_statistics', panel: 'user', description: 'See all-time statistics and totals of apps' },
  { id: 8, label: 'manager_app_pushes', panel: 'user', description: "See an app's pushes" },
  { id: 9, label: 'manager_app_conversions', panel: 'user', description: "See an app's conversions" },
  { id: 10, label: 'manager_app_push_setting', panel: 'user', description: "Replace an app's push configuration file" },
  { id: 11, label: 'manager_settings_server', panel: 'user', description: 'Manage traffic servers', ignoresScope: true },
  { id: 12, label: 'manager_settings_roles', panel: 'user', description: 'Manage roles' },
  { id: 13, label: 'manager_user_create', panel: 'user', description: 'Create staff accounts' },
  { id: 14, label: 'manager_user_buyer_create', panel: 'user', description: 'Create buyers' },
  { id: 15, label: 'manager_user_edit', panel: 'user', description: 'Edit staff accounts and buyers' },
  { id: 16, label: 'manager_user_deactivate', panel: 'user', description: 'Switch access of accounts and delete them' },
  { id: 17, label: 'manager_user_activity', panel: 'user', description: 'See who changed what' },
  { id: 18, label: 'manager_dev_logs', panel: 'user', description: 'Read, download and delete logs', ignoresScope: true },
  {
    id: 19,
    label: 'manager_dev_request_encryption',
    panel: 'user',
    description: 'Encode, decode and send test requests',
    ignoresScope: true,
  },
  { id: 20, label: 'manager_dev_docs', panel: 'user', description: 'Read the mobile documentation', ignoresScope: true },
  {
    id: 21,
    label: 'manager_settings_asns',
    panel: 'user',
    description: 'Ban autonomous systems and manage the black IP list',
    ignoresScope: true,
  },
  { id: 22, label: 'manager_app_all_requests', panel: 'user', description: 'See the requests of all apps' },
  { id: 23, label: 'buyer_stream_view', panel: 'buyer', description: 'See own streams' },
  { id: 24, label: 'buyer_stream_view_all', panel: 'buyer', description: 'See the streams of all buyers' },
  { id: 25, label: 'buyer_stream_create', panel: 'buyer', description: 'Create streams' },
  { id: 26, label: 'buyer_stream_edit', panel: 'buyer', description: 'Edit streams' },
  { id: 27, label: 'buyer_push_view', panel: 'buyer', description: 'See pushes' },
  { id: 28, label: 'buyer_push_create', panel: 'buyer', description: 'Create pushes' },
  { id: 29, label: 'buyer_statistics_view', panel: 'buyer', description: 'See statistics' },
] as const satisfies readonly { id: number; label: string; panel: Panel; description: string; ignoresScope?: true }[];

export type Permission = (typeof permissionCatalogue)[number]['label'];

const idByLabel = new Map<Permission, number>(permissionCatalogue.map(({ id, label }) => [label, id]));

/** Id of a permission. */
export function permissionId(label: Permission): number {
  const id = idByLabel.get(label);
  if (id === undefined) throw new Error(`${label} is not in the catalogue`);
  return id;
}

/** Ids of the permissions with these labels. */
export function permissionIdsOf(labels: readonly string[]): ReadonlySet<number> {
  return new Set(permissionCatalogue.filter(({ label }) => labels.includes(label)).map(({ id }) => id));
}

const staffLabels = permissionCatalogue.filter((p) => p.panel === 'user').map((p) => p.label);

/** The seven specified roles with fixed ids. */
export const seededRoles: readonly { id: number; name: string; badge: string; panel: Panel; permissions: readonly Permission[] }[] = [
  { id: 1, name: 'Super Admin', badge: 'S', panel: 'user', permissions: staffLabels },
  {
    id: 2,
    name: 'Admin',
    badge: 'A',
    panel: 'user',
    permissions: staffLabels.filter((label) => label !== 'manager_app_edit_domain_bundle'),
  },
  {
    id: 3,
    name: 'App Manager',
    badge: 'M',
    panel: 'user',
    permissions: [
      'manager_app_view_all',
      'manager_app_create',
      'manager_app_edit',
      'manager_app_requests',
      'manager_app_pushes',
      'manager_app_conversions',
      'manager_user_buyer_create',
    ],
  },
  {
    id: 4,
    name: 'Log Reviewer',
    badge: 'T',
    panel: 'user',
    permissions: [
      'manager_app_view_all',
      'manager_app_edit',
      'manager_app_requests',
      'manager_app_pushes',
      'manager_app_conversions',
      'manager_app_all_requests',
    ],
  },
  {
    id: 5,
    name: 'Buyer',
    badge: 'B',
    panel: 'buyer',
    permissions: [
      'buyer_stream_view',
      'buyer_stream_create',
      'buyer_stream_edit',
      'buyer_push_view',
      'buyer_push_create',
      'buyer_statistics_view',
    ],
  },
  { id: 6, name: 'QA', badge: 'QA', panel: 'buyer', permissions: ['buyer_stream_view', 'buyer_push_view', 'buyer_statistics_view'] },
  {
    id: 7,
    name: 'Super Buyer',
    badge: 'SB',
    panel: 'buyer',
    permissions: [
      'buyer_stream_view',
      'buyer_stream_view_all',
      'buyer_stream_create',
      'buyer_stream_edit',
      'buyer_push_view',
      'buyer_push_create',
      'buyer_statistics_view',
    ],
  },
];

/** Id of the Super Admin role, which always holds every staff permission. */
export const superAdminRoleId = 1;

/** Any of these permissions opens the apps list and its calls. */
export const appsListPermissions = [
  'manager_app_create',
  'manager_app_edit',
  'manager_app_delete',
  'manager_app_requests',
  'manager_app_statistics',
] as const satisfies readonly Permission[];

/** Any of these, with access to all apps, changes rules, silences and channels. */
export const alertPermissions = ['manager_settings_roles', 'manager_settings_server'] as const satisfies readonly Permission[];

/** Whether `permissions` contains any of `anyOf`. True if `anyOf` is empty. */
export function holdsAny(permissions: readonly string[], anyOf: readonly Permission[]): boolean {
  return anyOf.length === 0 || anyOf.some((label) => permissions.includes(label));
}

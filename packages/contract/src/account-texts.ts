/** Confirmations before accounts are changed. */
export const accountConfirms = {
  save: { title: 'Are you sure', text: 'you want to change user data?' },
  saveApps: { title: 'Are you sure', text: 'Do you want to save changes?' },
  denyApps: { title: 'Are you sure', text: 'you want to deny the user access to this application?' },
  remove: { title: 'Are you sure?', text: 'All data will be DELETED!' },
} as const;

/** Labels of the account forms. */
export const accountLabels = {
  generatePassword: 'Generate password',
  hasAccess: 'Has Access',
  selectApp: 'select app',
  bindApps: 'Select apps to bind with user',
  saveChanges: 'Save changes',
} as const;

/** Meaning of each role badge. */
export const roleMeanings: Readonly<Record<string, string>> = {
  S: 'super admin (all functions, creates other super admins and any users)',
  A: 'admin (almost all functions, creates admins and users)',
  M: 'app manager (creates and partly edits apps, assigns them, creates buyers)',
  T: 'log reviewer (reviews Events, Pushes, Conversion)',
  B: 'buyer',
  QA: 'tester',
  SB: 'super buyer (sees all streams)',
};

/** Tooltips of the account forms. */
export const accountTooltips = {
  email: 'Email changes are allowed for ADMIN and SUPER ADMIN',
  roles: 'Choosing only one role is advised',
} as const;

/** Texts of empty tabs of an account. */
export const emptyAccountTabs = {
  allApps: 'The user has access to all apps',
  apps: (name: string) => `User ${name} has no available apps`,
  streams: (name: string) => `User ${name} has no available streams`,
} as const;

/** Questions asked before accounts are changed (USER-047, USER-055, BUY-015, BUY-021, AMB-170, AMB-180). */
export const accountConfirms = {
  save: { title: 'Are you sure', text: 'you want to change user data?' },
  saveApps: { title: 'Are you sure', text: 'Do you want to save changes?' },
  denyApps: { title: 'Are you sure', text: 'you want to deny the user access to this application?' },
  remove: { title: 'Are you sure?', text: 'All data will be DELETED!' },
} as const;

/** Words of the account forms (USER-017, USER-018, USER-051, BUY-007). */
export const accountLabels = {
  generatePassword: 'Generate password',
  hasAccess: 'Has Access',
  selectApp: 'select app',
  bindApps: 'Select apps to bind with user',
  saveChanges: 'Save changes',
} as const;

/** What the letters of a role stand for, and what it may do where the specification says it (USER-048, BUY-034). */
export const roleMeanings: Readonly<Record<string, string>> = {
  S: 'super admin (all functions, creates other super admins and any users)',
  A: 'admin (almost all functions, creates admins and users)',
  M: 'app manager (creates and partly edits apps, assigns them, creates buyers)',
  T: 'log reviewer (reviews Events, Pushes, Conversion)',
  B: 'buyer',
  QA: 'tester',
  SB: 'super buyer (sees all streams)',
};

/** Further tooltips of the account forms (USER-049, USER-050). */
export const accountTooltips = {
  email: 'Email changes are allowed for ADMIN and SUPER ADMIN',
  roles: 'Choosing only one role is advised',
} as const;

/** What empty tabs of an account say (USER-054, BUY-022, BUY-032). */
export const emptyAccountTabs = {
  allApps: 'The user has access to all apps',
  apps: (name: string) => `User ${name} has no available apps`,
  streams: (name: string) => `User ${name} has no available streams`,
} as const;

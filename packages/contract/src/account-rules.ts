/** Texts about accounts; the asterisks are the specification's (USER-024 to USER-032, api [47], [49], 0.12). */
export const accountMessages = {
  name: '*Provide a valid name (min length - 3)',
  nameTaken: '*User with this name already exists',
  email: '*Provide a valid email address',
  emailTaken: '*User with this email already exists',
  password: '*Minimum length of 12 characters, must contain at least one digit, at least one letter in lower and uppercase',
  passwordCommon: '*This password is too common',
  roles: '*Choose at least one role',
  onlyBuyerRole: 'Only the role Buyer can be given',
  emailLocked: 'Only ADMIN and SUPER ADMIN can change the email',
  deleteSelf: 'You cannot delete yourself',
  denySelf: 'You cannot deny access to yourself',
  chooseAppsFirst: 'The user has access to all apps, choose the apps first',
} as const;

/** Refusals of writes on accounts and roles (api 0.11, 0.12). */
export const grantMessages = {
  permissions: 'You cannot grant permissions you do not have',
  apps: 'You cannot grant access to apps you do not have',
  allApps: 'You cannot grant access to all apps',
  superAdmin: 'Only a super admin can change a super admin',
  ownRoles: 'You cannot change your own roles',
  lastSuperAdmin: 'The last super admin cannot be removed, disabled or demoted',
  lastSuperAdminApps: 'The last super admin with access to all apps cannot be restricted',
  superAdminRole: 'The Super Admin role always holds all permissions',
} as const;

/** Characters of a name and a password, both ends included, and the most an e-mail address may have (api [47]). */
export const nameCharacters = { min: 3, max: 100 } as const;
export const emailCharacters = 254;
export const passwordCharacters = { min: 12, max: 128 } as const;
/** App ids that one call may carry (api [47]). */
export const maximumAppIds = 10_000;

/** Label of the one role that may be given without `manager_app_statistics` (USER-020, PERM-025). */
export const buyerRoleLabel = 'Buyer';
/** Badge of the role whose holders are testers unless the form says otherwise (AMB-175). */
export const testerBadge = 'QA';

/** The message for a trimmed name that is too short, else null; what is too long the form does not let in. */
export function accountNameError(name: string): string | null {
  return name.length < nameCharacters.min ? accountMessages.name : null;
}

/** The message for a trimmed e-mail address that is none or too long, else null (AMB-179). */
export function emailError(email: string): string | null {
  // The pattern takes a time that grows with the square of the length.
  if (email.length > emailCharacters) return accountMessages.email;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : accountMessages.email;
}

/** The message for a password that is too weak, else null; whether it is too common only the server knows. */
export function passwordError(password: string): string | null {
  const isStrong = password.length >= passwordCharacters.min && [/\d/, /\p{Ll}/u, /\p{Lu}/u].every((needed) => needed.test(password));
  return isStrong ? null : accountMessages.password;
}

/** Texts about accounts; the asterisks are the specification's (USER-024 to USER-032, api [47], [49], 0.12). */
export const accountMessages = {
  name: '*Provide a valid name (min length - 3)',
  nameTaken: '*User with this name already exists',
  email: '*Provide a valid email address',
  emailTaken: '*User with this email already exists',
  password: '*Minimum length of 12 characters, must contain at least one digit, at least one letter in lower and uppercase',
  passwordCommon: '*This password is too common',
  passwordHasProduct: '*The password must not contain the name of the product',
  passwordHasEmail: '*The password must not contain the name in the email address',
  currentPassword: '*The current password is wrong',
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

/** Letters and digits that a name must have before a password is searched for it; shorter ones are in too many words. */
const leastNameCharacters = 4;
/** The product is guessed by this name too where a deployment calls it something else. */
const ownName = 'Switchyard';

/**
 * The message for a password that contains the product's name or the part of the account's e-mail address before the @
 * (O40), else null. Case, blanks and punctuation make no difference.
 */
export function passwordNameError(
  password: string,
  { email, productName }: { readonly email: string; readonly productName: string },
): string | null {
  const typed = lettersAndDigits(password);
  const contains = (name: string): boolean => {
    const wanted = lettersAndDigits(name);
    return wanted.length >= leastNameCharacters && typed.includes(wanted);
  };
  if (contains(productName) || contains(ownName)) return accountMessages.passwordHasProduct;
  // What follows a plus only sorts the mail of the same person.
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@')));
  return contains(local) || contains(local.split('+')[0] ?? '') ? accountMessages.passwordHasEmail : null;
}

function lettersAndDigits(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The message for a password that is too weak, else null; whether it is too common only the server knows. */
export function passwordError(password: string): string | null {
  const isStrong = password.length >= passwordCharacters.min && [/\d/, /\p{Ll}/u, /\p{Lu}/u].every((needed) => needed.test(password));
  return isStrong ? null : accountMessages.password;
}

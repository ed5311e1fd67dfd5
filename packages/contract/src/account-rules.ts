/** Messages about accounts. The asterisks are part of the specified texts. */
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

/** Messages of rejected writes on accounts and roles. */
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

/** Length limits in characters, inclusive. */
export const nameCharacters = { min: 3, max: 100 } as const;
export const emailCharacters = 254;
export const passwordCharacters = { min: 12, max: 128 } as const;
/** Maximum number of app ids in one call. */
export const maximumAppIds = 10_000;

/** Label of the only role that an account without `manager_app_statistics` may grant. */
export const buyerRoleLabel = 'Buyer';
/** Badge of the role whose accounts are testers by default. */
export const testerBadge = 'QA';

/** Returns the message for a trimmed name that is too short, else null. Forms prevent longer names. */
export function accountNameError(name: string): string | null {
  return name.length < nameCharacters.min ? accountMessages.name : null;
}

/** RFC 5321, dot-string. Quoted local parts are valid there, but let an address contain another one. */
const localPart = /^(?=.{1,64}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** RFC 1123: labels of letters, digits and hyphens. Only in an IPv4 address is the last one a number. */
const mailDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Returns the message for a trimmed e-mail address that is invalid or too long, else null. */
export function emailError(email: string): string | null {
  const ascii = email.length > emailCharacters ? '' : asciiEmail(email);
  const [local = '', domain = '', ...rest] = ascii.split('@');
  const isValid = ascii.length <= emailCharacters && rest.length === 0 && localPart.test(local) && mailDomain.test(domain);
  return isValid && URL.canParse(`http://${domain}`) ? null : accountMessages.email;
}

/**
 * The address with its domain in ASCII (IDNA, RFC 5891), the form in which accounts store it: two spellings of a domain are
 * one address. A domain that is ASCII already or invalid stays as it is.
 */
export function asciiEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  // URL parsers also decode percent signs and drop invisible characters, so the stored domain would not be the visible one.
  if (at === -1 || /^[!-~]*$/.test(domain) || !/^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(domain)) return email;
  return URL.canParse(`http://${domain}`) ? `${email.slice(0, at)}@${new URL(`http://${domain}`).hostname}` : email;
}

/** Shorter names are not searched for in passwords, because too many words contain them. */
const minimumNameLength = 4;
/** Also searched for when a deployment uses another product name. */
const ownName = 'Switchyard';

/**
 * Returns the message for a password that contains the product's name or the local part of the account's e-mail
 * address, else null. Ignores case, spaces and punctuation.
 */
export function passwordNameError(
  password: string,
  { email, productName }: { readonly email: string; readonly productName: string },
): string | null {
  const characters = lettersAndDigits(password);
  const contains = (name: string): boolean => {
    const nameLetters = lettersAndDigits(name);
    return nameLetters.length >= minimumNameLength && characters.includes(nameLetters);
  };
  if (contains(productName) || contains(ownName)) return accountMessages.passwordHasProduct;
  // A suffix after a plus is a mail tag of the same person.
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@')));
  return contains(local) || contains(local.split('+')[0] ?? '') ? accountMessages.passwordHasEmail : null;
}

function lettersAndDigits(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the message for a password that is too weak, else null. Only the server knows whether it is too common. */
export function passwordError(password: string): string | null {
  const isStrong = password.length >= passwordCharacters.min && [/\d/, /\p{Ll}/u, /\p{Lu}/u].every((pattern) => pattern.test(password));
  return isStrong ? null : accountMessages.password;
}

import { passwordCharacters } from '@switchyard/contract/account-rules';

/** Requirements of a new password. */
export const passwordNeeds = `At least ${passwordCharacters.min} characters with a digit and letters in lower and upper case.`;

/** Passwords that are rejected. */
export const passwordBans =
  "Common passwords are rejected, even with digits appended, as are passwords that contain the product's name or the part of your email address before the @.";

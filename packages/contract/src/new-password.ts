import { z } from 'zod';
import { accountMessages, passwordCharacters, passwordError } from './account-rules.ts';
import { isStorableText, missingMark, storable } from './text-fields.ts';

/** A required password. */
export const newPassword = z
  .string({ error: (issue) => (issue.input === undefined ? missingMark + accountMessages.password : undefined) })
  .min(1, missingMark + accountMessages.password)
  .max(passwordCharacters.max)
  .refine(isStorableText, storable)
  .refine((text) => passwordError(text) === null, accountMessages.password);

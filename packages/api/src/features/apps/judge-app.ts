import { appMessages, appRuleErrors, uniqueAppFields, type UniqueAppField } from '@switchyard/contract/app-rules';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { brokenUniqueIndex } from '../../database/database-errors.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors } from '../../errors.ts';
import { findUnknownBuyer } from '../buyers/buyers-lookup.ts';
import { fieldOfIndex, isTaken } from './app-read-model.ts';
import type { AppSettings, SentFields } from './app-settings.ts';

const fixedFields = ['bundle', 'domain'] as const;

/**
 * What is wrong with the values of a form, by field (api [12], [14]): the rules that the form knows too, then what only
 * the database knows. Only what was sent is judged, by what the app would be with it.
 */
export async function findValueErrors(
  tx: OpenTransaction,
  form: { sent: SentFields; after: AppSettings; before: (AppSettings & { id: number }) | null; mayChangeFixed: boolean },
): Promise<Record<string, string>> {
  const { sent, after, before } = form;
  const keys = { ...sent.keys, ...sent.privateKeys };
  const errors = appRuleErrors({
    ...sent,
    ...keys,
    response_message: sent.response_message && after.response_message,
    cloak_mode: after.cloak_mode,
    adspect_cloak: sent.cloak_mode === undefined && sent.adspect_cloak === undefined ? undefined : after.adspect_cloak,
  });
  const isChanged = (field: UniqueAppField) => sent[field] !== undefined && sent[field] !== before?.[field];
  if (before && !form.mayChangeFixed) for (const field of fixedFields) if (isChanged(field)) errors[field] = appMessages.onlySuperAdmin;

  for (const field of uniqueAppFields) {
    const isFree = field in errors || !isChanged(field) || !(await isTaken(tx, { field, value: after[field], exceptId: before?.id }));
    if (!isFree) errors[field] = appMessages.taken(field, after[field]);
  }
  const unknown = await findUnknownBuyer(tx, sent.userIds ?? []);
  if (unknown !== undefined) errors['userIds'] = unknownIdMessage('userIds', unknown);
  return errors;
}

/** The field errors of a write that lost a race for a name, bundle or domain (O34); other errors stay what they are. */
export function asLostRace(error: unknown, sent: SentFields): unknown {
  const field = fieldOfIndex(brokenUniqueIndex(error));
  return field === undefined ? error : new FieldErrors({ [field]: [appMessages.taken(field, sent[field] ?? '')] });
}

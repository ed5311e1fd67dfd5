import { appMessages, appRuleErrors, uniqueAppFields, type UniqueAppField } from '@switchyard/contract/app-rules';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { brokenUniqueIndex } from '@switchyard/traffic-store/database-errors';
import { lockName } from '../../database/lock-name.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors } from '../../errors.ts';
import { findUnknownBuyer } from '../accounts/buyers-lookup.ts';
import { fieldOfIndex, isTaken } from './apps-store.ts';
import type { AppSettings, SentFields } from './app-settings.ts';

const fixedFields = ['bundle', 'domain'] as const;

/**
 * Errors of the values of a form, by field: first by the rules that the form itself checks, then by the database. Only
 * fields that were sent are validated, together with the settings that the app would have.
 */
export async function findValueErrors(
  tx: OpenTransaction,
  form: { fields: SentFields; after: AppSettings; before: (AppSettings & { id: number }) | null; mayChangeFixed: boolean },
): Promise<Record<string, string>> {
  const { fields, after, before } = form;
  const keys = { ...fields.keys, ...fields.privateKeys };
  const errors = appRuleErrors({
    ...fields,
    // A domain that was stored before domains had to be host names stays until it is changed.
    domain: after.domain === before?.domain ? undefined : fields.domain,
    ...keys,
    response_message: fields.response_message && after.response_message,
    cloak_mode: after.cloak_mode,
    adspect_cloak: fields.cloak_mode === undefined && fields.adspect_cloak === undefined ? undefined : after.adspect_cloak,
  });
  const isChanged = (field: UniqueAppField) => fields[field] !== undefined && after[field] !== before?.[field];
  if (before && !form.mayChangeFixed) for (const field of fixedFields) if (isChanged(field)) errors[field] = appMessages.onlySuperAdmin;

  for (const field of uniqueAppFields) {
    if (field in errors || !isChanged(field)) continue;
    await lockName(tx, `apps.${field}`, after[field]);
    const isOther = await isTaken(tx, { field, value: after[field], exceptId: before?.id });
    if (isOther) errors[field] = appMessages.taken(field, fields[field] ?? '');
  }
  const unknown = await findUnknownBuyer(tx, fields.userIds ?? []);
  if (unknown !== undefined) errors['userIds'] = unknownIdMessage('userIds', unknown);
  return errors;
}

/** Turns the error of a unique index into field errors: another command took the name, bundle or domain first. Others stay. */
export function rejectTakenValue(error: unknown, fields: SentFields): never {
  const field = fieldOfIndex(brokenUniqueIndex(error));
  throw field === undefined ? error : new FieldErrors({ [field]: [appMessages.taken(field, fields[field] ?? '')] });
}

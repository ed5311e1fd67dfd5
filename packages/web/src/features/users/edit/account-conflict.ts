import { account as accountSchema, type Account } from '@switchyard/contract/accounts';
import type { Conflict } from '../../../shared/form/conflict/conflict-resolver.tsx';
import { currentOf } from '../../../shared/form/conflict/current-of.ts';
import { differencesOf, type ComparedField } from '../../../shared/form/conflict/differences.ts';
import { fieldLabels, valuesOf, type AccountFormValues } from '../form/account-form-values.ts';

/** A save of an account that came too late. */
export type AccountConflict = Conflict<Account, AccountFormValues>;

/** The account as somebody else saved it, out of a 412 (api 0.9); null for every other failure. */
export function currentAccount(error: unknown): Account | null {
  return currentOf(error, accountSchema);
}

const fields: readonly ComparedField<AccountFormValues>[] = [
  { label: fieldLabels.name, of: ({ name }) => name },
  { label: fieldLabels.email, of: ({ email }) => email },
  { label: fieldLabels.password, of: ({ password }) => password, text: ({ password }) => (password === '' ? '' : '••••••••') },
  { label: fieldLabels.hasAccess, of: ({ hasAccess }) => hasAccess, text: ({ hasAccess }) => (hasAccess ? 'yes' : 'no') },
  { label: fieldLabels.roles, of: ({ roles }) => roles.toSorted(), text: ({ roles }) => roles.join(', ') },
  { label: fieldLabels.appIds, of: ({ appIds }) => appIds, text: ({ appIds }) => `${appIds.length} chosen` },
];

/** What somebody else changed meanwhile, beside mine. */
export function accountDifferences({ loaded, current, values }: AccountConflict) {
  return differencesOf({ loaded: valuesOf(loaded), theirs: valuesOf(current), mine: values }, fields);
}

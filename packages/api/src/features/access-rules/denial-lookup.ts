import { conflict, FieldErrors, forbidden } from '../../errors.ts';

/** Why a rule on accounts and roles refuses a write, and how that is told (api 0.12). */
export type Denial = { status: 403 | 409; message: string } | { status: 422; field: string; message: string };

/** Refuses the write when there is a denial. */
export function refuse(denial: Denial | null): void {
  if (denial === null) return;
  if (denial.status === 422) throw new FieldErrors({ [denial.field]: [denial.message] });
  throw denial.status === 409 ? conflict(denial.message) : forbidden(denial.message);
}

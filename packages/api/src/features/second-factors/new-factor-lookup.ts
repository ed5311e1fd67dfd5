import { wireDate } from '@switchyard/contract/dates';
import { secondFactorLimits, secondFactorMessages, type AddedFactor, type SecondFactor } from '@switchyard/contract/second-factors';
import type { Insertable } from 'kysely';
import type { SecondFactorsTable } from '../../database/tables.ts';
import { existing, recordAudit, type Audited, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, forbidden } from '../../errors.ts';
import type { AccountCall } from '../../http/bind.ts';
import type { NotifyOwner, SecurityNotice } from '../security-mails/security-mails-lookup.ts';
import { updateRecoveryCodes } from './recovery-codes-store.ts';
import { findFactorOwner, listFactors, type StoredFactor } from './second-factors-lookup.ts';

/** Throws 403 for a demo account, and 409 for an account that has too many factors to add one. */
export async function requireRoom(tx: OpenTransaction, accountId: number): Promise<void> {
  if ((await findFactorOwner(tx, accountId))?.is_demo !== false) throw forbidden(secondFactorMessages.demo);
  if ((await listFactors(tx, accountId)).length >= secondFactorLimits.perAccount) throw conflict(secondFactorMessages.tooMany);
}

/** Adds a factor and gives its id. */
export async function insertFactor(tx: OpenTransaction, factor: Insertable<SecondFactorsTable>): Promise<number> {
  const { id } = await tx.insertInto('second_factors').values(factor).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Mails the owner about a factor that was just added, and records it. With the first factor the account gets recovery codes. */
export async function recordAddedFactor(
  tx: OpenTransaction,
  notifyOwner: NotifyOwner,
  { caller, request, id, kind, name }: AccountCall & Pick<StoredFactor, 'id' | 'kind' | 'name'>,
): Promise<Audited<AddedFactor>> {
  await notifyOwner(tx, factorNotice('factor_added', { caller, request, kind, name }));
  const changes = Object.entries({ kind, name }).map(([field, to]) => ({ field, from: null, to }));
  return recordAudit(tx, eventOf('create', { caller, request, id, changes }), await addedFactor(tx, caller.account.id, id));
}

async function addedFactor(tx: OpenTransaction, accountId: number, id: number): Promise<AddedFactor> {
  const factors = await listFactors(tx, accountId);
  const storedFactor = existing(factors.find((factor) => factor.id === id));
  return { factor: toSecondFactor(storedFactor), recovery_codes: factors.length === 1 ? await updateRecoveryCodes(tx, accountId) : null };
}

/** The wire form of a factor. */
export function toSecondFactor({ id, kind, name, created_at: createdAt, last_used_at: lastUsedAt }: StoredFactor): SecondFactor {
  return { id, kind, name, created_at: wireDate(createdAt), last_used_at: lastUsedAt && wireDate(lastUsedAt) };
}

/** The notice about one of the caller's factors. */
export function factorNotice(
  event: 'factor_added' | 'factor_removed',
  { caller: { account: actor }, request, kind, name }: AccountCall & Pick<StoredFactor, 'kind' | 'name'>,
): SecurityNotice {
  const fact = [kind === 'totp' ? 'Authenticator app' : 'Passkey', name] as const;
  return { event, accountId: actor.id, actor, request, facts: [fact] };
}

/** The audit entry of a change of the caller's factors. */
export function eventOf(
  action: 'create' | 'update' | 'delete' | 'renew_codes',
  { caller, request, id, changes }: AccountCall & Pick<Required<AuditEvent>, 'id' | 'changes'>,
): AuditEvent {
  return { actor: caller.account, entity: 'second_factor', action, id, label: caller.account.email, request, changes };
}

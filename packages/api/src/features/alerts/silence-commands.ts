import * as contract from '@switchyard/contract/alerts';
import { weeklyText } from '@switchyard/contract/weekly-times';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, existing, recordAudit, transaction, type AuditEvent, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, notFound } from '../../errors.ts';
import type { AccountCall, AccountCaller, Call } from '../../http/bind.ts';
import { requireChange, validScope } from './alert-access.ts';
import { findUnknownApp, scopeFor } from './rules-store.ts';
import * as store from './silences-store.ts';

export type SilenceDependencies = { db: Databases['db']; now: () => Date };

const dayMilliseconds = 86_400_000;

export type Cover = { kind: contract.AlertKind | null; ruleKind: contract.AlertKind | null; server: unknown; scope: contract.AlertScope };

/** Kinds whose incidents a silence covers. */
export function coveredKinds({ kind, ruleKind, server, scope }: Cover): contract.AlertKind[] {
  return contract.alertKindNames.filter((name) => {
    const { subject } = contract.alertKinds[name];
    if (kind !== null && name !== kind) return false;
    if (ruleKind !== null && name !== ruleKind) return false;
    return (server === null || subject === 'server') && (scope.apps === 'all' || subject === 'app');
  });
}

/** Silences that a caller may see: those that cover a kind and an app of theirs. */
export async function listSilences({ db, now }: SilenceDependencies, caller: AccountCaller): Promise<contract.Silence[]> {
  const silences = await store.listSilencesAfter(db, new Date(now().getTime() - contract.alertLimits.days * dayMilliseconds));
  return silences.filter((silence) => isVisible(silence, caller)).map((silence) => toSilence(silence, caller));
}

/**
 * Adds a silence. Throws 403 unless the caller sees all apps and every kind that it covers, and 422 for unknown ids, times that do
 * not fit, one too many, and a silence that covers nothing.
 */
export async function createSilence(
  { db, now }: SilenceDependencies,
  { body, caller, request }: Call<typeof contract.createSilence>,
): Promise<contract.Silence> {
  requireChange(caller, []);
  return transaction(db, async (tx) => {
    const at = now();
    const { note, kind, rule_id: ruleId, server_id: serverId } = body;
    const ruleKind = ruleId === null ? null : ((await store.findRuleKind(tx, ruleId)) ?? null);
    if (ruleId !== null && (ruleKind === null || !contract.visibleKinds(caller.account.permissions).includes(ruleKind)))
      throw new FieldErrors({ rule_id: [unknownIdMessage('rule_id', ruleId)] });
    const scope = validScope(
      body.scope,
      coveredKinds({ kind, ruleKind, server: serverId, scope: { apps: 'all', verticals: [], app_ids: [] } }),
    );
    const covered = coveredKinds({ kind, ruleKind, server: serverId, scope });
    if (covered.length === 0) throw new FieldErrors({ server_id: [contract.alertMessages.nothingCovered] });
    requireChange(caller, covered);
    if (serverId !== null && !(await store.isServer(tx, serverId)))
      throw new FieldErrors({ server_id: [unknownIdMessage('server_id', serverId)] });
    const unknown = await findUnknownApp(tx, scope.app_ids);
    if (unknown !== undefined) throw new FieldErrors({ scope: [unknownIdMessage('scope.app_ids', unknown)] });
    const startsAt = body.starts_at === null ? at : new Date(body.starts_at);
    const endsAt = new Date(body.ends_at);
    const weekly = body.weekly && { ...body.weekly, weekdays: [...new Set(body.weekly.weekdays)].toSorted((a, b) => a - b) };
    rejectBadTimes({ startsAt, endsAt, weekly }, at);
    if ((await store.countSilences(tx, at)) >= contract.alertLimits.silences)
      throw new FieldErrors({ note: [contract.alertMessages.tooManySilences] });
    const created = await addSilence(tx, { note, kind, ruleId, serverId, scope, startsAt, endsAt, weekly, now: at }, { caller, request });
    return recordAudit(tx, created.event, toSilence(created.silence, caller));
  });
}

/** Adds a silence and gives it with its audit entry. */
export async function addSilence(
  tx: OpenTransaction,
  { note, kind, ruleId, serverId, scope, ...times }: Omit<store.NewSilence, 'createdBy'>,
  { caller, request }: AccountCall,
): Promise<{ silence: store.StoredSilence; event: AuditEvent }> {
  const id = await store.insertSilence(tx, { note, kind, ruleId, serverId, scope, ...times, createdBy: caller.account.id });
  const silence = existing(await store.findSilence(tx, id));
  const { starts_at, ends_at, weekly } = silence.silence;
  const covered = { kind, rule_id: ruleId, server_id: serverId, apps: scope.apps, verticals: scope.verticals, app_ids: scope.app_ids };
  const changes = changesBetween({}, { note, ...covered, starts_at, ends_at, ...(weekly !== null && { weekly: weeklyText(weekly) }) });
  return { silence, event: { actor: caller.account, entity: 'silence', action: 'create', id, label: labelOf(silence), request, changes } };
}

/** Throws 422 unless a silence ends after its beginning, in the future, and not too late. */
export function rejectBadTimes({ startsAt, endsAt, weekly }: Pick<store.NewSilence, 'startsAt' | 'endsAt' | 'weekly'>, now: Date): void {
  const { silenceDays, weeklySilenceDays } = contract.alertLimits;
  const furthest = new Date(now.getTime() + (weekly === null ? silenceDays : weeklySilenceDays) * dayMilliseconds);
  if (endsAt <= now || endsAt <= startsAt || endsAt > furthest) throw new FieldErrors({ ends_at: [contract.alertMessages.silenceEnd] });
}

/** Ends a silence. Throws 404 if it is over or the caller does not see it, and 403 as `createSilence`. */
export async function endSilence(
  { db, now }: SilenceDependencies,
  { params: { id }, caller, request }: Call<typeof contract.endSilence>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const silence = await store.findSilence(tx, id);
    if (silence === undefined || !isVisible(silence, caller)) throw notFound();
    requireChange(caller, coveredKinds(coverOf(silence)));
    if (!(await store.updateEnd(tx, id, now()))) throw notFound();
    return recordAudit(tx, { actor: caller.account, entity: 'silence', action: 'end', id, label: labelOf(silence), request });
  });
}

/** The rule, server and apps that a silence covers. */
export function coverOf({ silence, ruleKind }: store.StoredSilence): Cover {
  return { ...silence, ruleKind };
}

function isVisible(stored: store.StoredSilence, caller: AccountCaller): boolean {
  const own = contract.visibleKinds(caller.account.permissions);
  const scopes = [stored.silence.scope, ...(stored.ruleScope === null ? [] : [stored.ruleScope])];
  return scopes.every((scope) => seesApps(scope, caller)) && coveredKinds(coverOf(stored)).some((kind) => own.includes(kind));
}

/** Whether a scope is about an app of the caller. */
function seesApps(scope: contract.AlertScope, caller: AccountCaller): boolean {
  return scope.apps !== 'chosen' || caller.scope === 'all' || scopeFor(scope, caller.scope).app_ids.length > 0;
}

function toSilence({ silence }: store.StoredSilence, { scope }: AccountCaller): contract.Silence {
  return { ...silence, scope: scopeFor(silence.scope, scope) };
}

function labelOf({ silence: { note, rule, kind } }: store.StoredSilence): string | null {
  return note || (rule?.name ?? kind);
}

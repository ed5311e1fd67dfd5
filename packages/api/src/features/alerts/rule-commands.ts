import * as contract from '@switchyard/contract/alerts';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import type { Announce } from '../../announcement.ts';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, existing, recordAudit, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, notFound, stale } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { findUnknownChannel } from '../channels/channel-health-lookup.ts';
import { readerOf, requireChange, validScope, validThreshold } from './alert-access.ts';
import { updateEnded, lockEvaluation } from './incidents-store.ts';
import { resolvedAnnouncements, ruleEndedText } from './incident-announcements.ts';
import * as store from './rules-store.ts';

export type RuleDependencies = { db: Databases['db']; now: () => Date; announce: Announce };

/** Adds a rule. Throws 403 unless the caller sees the kind and all apps, and 422 for one too many and fields that do not fit the kind. */
export async function createRule(
  { db, now }: RuleDependencies,
  { caller, request, body }: Call<typeof contract.createRule>,
): Promise<contract.AlertRule> {
  const { kind } = body;
  requireChange(caller, [kind]);
  return transaction(db, async (tx) => {
    await lockEvaluation(tx);
    if ((await store.countRules(tx)) >= contract.alertLimits.rules) throw new FieldErrors({ name: [contract.alertMessages.tooMany] });
    const fields = await validFields(tx, kind, body);
    const id = await store.insertRule(tx, { ...fields, kind, ownerId: caller.account.id, now: now() });
    const event = { actor: caller.account, entity: 'alert_rule', action: 'create', id, label: fields.name, request } as const;
    return recordAudit(
      tx,
      { ...event, changes: changesBetween({}, { kind, ...auditFields(fields) }) },
      await find(tx, { ...readerOf(caller), now: now() }, id),
    );
  });
}

/**
 * Changes the fields of a rule that were sent. Throws 404 if the caller does not see it, then 412 if it changed meanwhile, then as
 * `createRule`. The incidents of a rule that is switched off end.
 */
export async function updateRule(
  deps: RuleDependencies,
  { params: { id }, caller, request, body, matchesIfMatch }: Call<typeof contract.updateRule>,
): Promise<contract.AlertRule> {
  return transaction(deps.db, async (tx) => {
    const before = await lock(tx, deps, { caller, id });
    if (!matchesIfMatch(before.version)) throw stale(before);
    const { name = before.name, threshold = before.threshold, scope = before.scope, severity = before.severity } = body;
    const { pending_minutes = before.pending_minutes, is_on = before.is_on, channel_ids = before.channel_ids } = body;
    const fields = await validFields(tx, before.kind, { name, threshold, scope, severity, pending_minutes, is_on, channel_ids });
    const changes = changesBetween(auditFields(before), auditFields(fields));
    if (changes.length === 0) return unchanged(before);
    const now = deps.now();
    await store.updateStoredRule(tx, id, fields, now);
    if (!fields.is_on) await end(tx, deps, { ruleId: id, actorId: caller.account.id, now });
    const event = { actor: caller.account, entity: 'alert_rule', action: 'update', id, label: name, request, changes } as const;
    return recordAudit(tx, event, await find(tx, { ...readerOf(caller), now }, id));
  });
}

/** Deletes a rule; its open incidents end. Throws as `updateRule`. */
export async function deleteRule(
  deps: RuleDependencies,
  { params: { id }, caller, request }: Call<typeof contract.deleteRule>,
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const rule = await lock(tx, deps, { caller, id });
    await end(tx, deps, { ruleId: id, actorId: caller.account.id, now: deps.now() });
    await store.deleteStoredRule(tx, id);
    const changes = changesBetween({ kind: rule.kind, ...auditFields(rule) }, nulls({ kind: rule.kind, ...auditFields(rule) }));
    return recordAudit(tx, { actor: caller.account, entity: 'alert_rule', action: 'delete', id, label: rule.name, request, changes });
  });
}

async function end(tx: OpenTransaction, { announce }: RuleDependencies, ending: { ruleId: number; actorId: number; now: Date }) {
  await announce(
    tx,
    resolvedAnnouncements(await updateEnded(tx, ending), ending.now, () => ruleEndedText),
  );
}

async function find(tx: OpenTransaction, reader: store.RuleReader, id: number): Promise<contract.AlertRule> {
  return existing(await store.findVisibleRule(tx, reader, id));
}

/** A rule that the caller may change, locked. */
async function lock(
  tx: OpenTransaction,
  { now }: RuleDependencies,
  { caller, id }: { caller: AccountCaller; id: number },
): Promise<contract.AlertRule> {
  // First, as an evaluation does, so that the two cannot wait for each other.
  await lockEvaluation(tx);
  await store.lockRule(tx, id);
  const rule = await store.findVisibleRule(tx, { ...readerOf(caller), now: now() }, id);
  if (rule === undefined) throw notFound();
  requireChange(caller, [rule.kind]);
  return rule;
}

async function validFields(tx: OpenTransaction, kind: contract.AlertKind, fields: store.RuleFields): Promise<store.RuleFields> {
  const scope = validScope(fields.scope, [kind]);
  const unknown = await store.findUnknownApp(tx, scope.app_ids);
  if (unknown !== undefined) throw new FieldErrors({ scope: [unknownIdMessage('scope.app_ids', unknown)] });
  const channelIds = fields.channel_ids === null ? null : [...new Set(fields.channel_ids)].toSorted((a, b) => a - b);
  const unknownChannel = await findUnknownChannel(tx, channelIds ?? []);
  if (unknownChannel !== undefined) throw new FieldErrors({ channel_ids: [unknownIdMessage('channel_ids', unknownChannel)] });
  const { name, pending_minutes, severity, is_on } = fields;
  return { name, threshold: validThreshold(kind, fields.threshold), scope, pending_minutes, severity, is_on, channel_ids: channelIds };
}

/** The fields as the audit trail names them; `app_ids` is cut to the apps of its reader. */
function auditFields({ name, threshold, scope, pending_minutes, severity, is_on, channel_ids }: store.RuleFields) {
  return {
    name,
    threshold,
    apps: scope.apps,
    verticals: scope.verticals,
    app_ids: scope.app_ids,
    pending_minutes,
    severity,
    is_on,
    channel_ids,
  };
}

function nulls(fields: Readonly<Record<string, unknown>>): Record<string, null> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
}

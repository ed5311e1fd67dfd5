import * as contract from '@switchyard/contract/alerts';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import type { Announce } from '../../announcement.ts';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { EntityRules, ValidColumns } from '../../entities/entity-commands.ts';
import { FieldErrors } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { findUnknownChannel } from '../channels/channel-health-lookup.ts';
import { readerOf, requireChange, requireRetention, validFurther, validMeasure, validScope, validThreshold } from './alert-access.ts';
import { resolvedAnnouncements, ruleEndedText } from './incident-announcements.ts';
import { lockEvaluation, updateEnded } from './incidents-store.ts';
import { appsOfRules, channelsOfRules, countFilteredRules, findUnknownApp, findVisibleRule, lockRule } from './rules-store.ts';

export type RuleDependencies = { db: Databases['db']; now: () => Date; announce: Announce; retentionDays: number };

/** A rule with its scope by the names of the audit trail, which cuts `app_ids` to the apps of its reader. */
type ScopedRule = contract.AlertRule & contract.AlertScope;
type ValidRule = ValidColumns & { isOn: boolean; actorId: number };
type AlertRules = EntityRules<contract.CreateRuleBody, ScopedRule, contract.AlertRule, AccountCaller, ValidRule>;

/**
 * What is special about rules. Saving throws 403 unless the caller sees the kind and all apps, and 422 for fields that do not fit the
 * kind. The incidents of a rule that is switched off or removed end.
 */
export function alertRules({ now: clock, announce, retentionDays }: RuleDependencies): AlertRules {
  const read: AlertRules['read'] = async (db, id, caller) => findVisibleRule(db, { ...readerOf(caller), now: clock() }, id);
  const end = async (tx: OpenTransaction, ending: { ruleId: number; actorId: number; now: Date }): Promise<void> => {
    const incidents = await updateEnded(tx, ending);
    await announce(
      tx,
      resolvedAnnouncements(incidents, ending.now, () => ruleEndedText),
    );
  };
  return {
    entity: 'alert_rule',
    table: 'alert_rules',
    columnNames: { apps: 'scope_apps' },
    references: { app_ids: appsOfRules, channel_ids: channelsOfRules },
    limit: { most: contract.alertLimits.rules, isOwn: false, message: contract.alertMessages.tooMany },
    async lock(tx, id, caller) {
      // First, as an evaluation does, so that the two cannot wait for each other.
      await lockEvaluation(tx);
      await lockRule(tx, id);
      const rule = await read(tx, id, caller);
      if (rule === undefined) return undefined;
      requireChange(caller, [rule.kind]);
      return { ...rule, ...rule.scope };
    },
    read,
    async validate(tx, { fields, before, caller }) {
      if (before === undefined) await lockEvaluation(tx);
      const { kind, is_on: isOn } = fields;
      const scope = validScope(fields.scope, [kind]);
      const unknown = await findUnknownApp(tx, scope.app_ids);
      if (unknown !== undefined) throw new FieldErrors({ scope: [unknownIdMessage('scope.app_ids', unknown)] });
      const channelIds = fields.channel_ids === null ? null : [...new Set(fields.channel_ids)].toSorted((a, b) => a - b);
      const unknownChannel = await findUnknownChannel(tx, channelIds ?? []);
      if (unknownChannel !== undefined) throw new FieldErrors({ channel_ids: [unknownIdMessage('channel_ids', unknownChannel)] });
      const measure = validMeasure(kind, fields);
      if (measure.request_filter !== '' && (await countFilteredRules(tx, before?.id ?? null)) >= contract.alertLimits.filteredRules)
        throw new FieldErrors({ request_filter: [contract.alertMessages.tooManyFiltered] });
      const threshold = validThreshold(kind, fields.threshold);
      if (isOn) requireRetention(kind, { ...measure, threshold }, retentionDays);
      const further = validFurther(kind, { threshold, further: fields.further_thresholds });
      return {
        fields: auditFields({
          ...fields,
          ...scope,
          ...measure,
          threshold,
          further_thresholds: further,
          channel_ids: channelIds,
        }),
        others: { all_channels: channelIds === null, ...(before === undefined && { owner_id: caller.account.id }) },
        isOn,
        actorId: caller.account.id,
      };
    },
    async afterSave(tx, { id, before, valid: { isOn, actorId }, now }) {
      if (before !== undefined && !isOn) await end(tx, { ruleId: id, actorId, now });
    },
    beforeRemove: async (tx, { id }, { caller, now }) => end(tx, { ruleId: id, actorId: caller.account.id, now }),
    removedFields: auditFields,
  };
}

function auditFields(rule: contract.CreateRuleBody & contract.AlertScope) {
  const { kind, name, threshold, further_thresholds, apps, verticals, app_ids, ...measured } = rule;
  const { pending_minutes, window_minutes, minimum, comparison, request_filter, ...others } = measured;
  const { hold_minutes, reminder_minutes, severity, is_on, channel_ids } = others;
  const when = { pending_minutes, window_minutes, minimum, comparison, request_filter };
  const condition = { kind, name, threshold, further_thresholds, apps, verticals, app_ids, ...when };
  return { ...condition, hold_minutes, reminder_minutes, severity, is_on, channel_ids };
}

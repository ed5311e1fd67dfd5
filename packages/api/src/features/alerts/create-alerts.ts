import * as contract from '@switchyard/contract/alerts';
import { pageForm } from '@switchyard/contract/envelope';
import * as lists from '@switchyard/contract/incident-lists';
import { createEntity, readEntity, removeEntity, saveEntity } from '../../entities/entity-commands.ts';
import { notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import { readerOf, requireChange, requireRetention, validMeasure, validScope, validThreshold } from './alert-access.ts';
import { evaluateRules, type EvaluationDependencies } from './evaluate-rules.ts';
import { acknowledgeIncident } from './incident-commands.ts';
import { acknowledgeIncidents, silenceIncidents } from './chosen-incidents-commands.ts';
import { writeIncidentsFile } from './incident-csv.ts';
import {
  countVisibleIncidents,
  findIncidentNews,
  findVisibleIncident,
  listGroupedIncidents,
  listVisibleIncidents,
} from './incidents-read-model.ts';
import { deleteOldIncidents } from './incidents-store.ts';
import { previewRule, readIncidentValues } from './preview-rule.ts';
import { createWatch, everyMinutes } from './plan-incidents.ts';
import { alertRules } from './rule-commands.ts';
import { listRulesToPick, listVisibleRules } from './rules-store.ts';
import { createSilence, endSilence, listSilences } from './silence-commands.ts';
import { deleteOldSilences } from './silences-store.ts';

/** Days for which resolved incidents and ended silences are kept. */
const keptDays = 90;

/** Rules, incidents and silences, and the evaluation of rules. */
export type Alerts = Feature & {
  /** Evaluates the rules now, even if another process has just done so. */
  evaluate: () => Promise<void>;
};

/** Creates the calls on alerts and their evaluation. */
export function createAlerts(deps: EvaluationDependencies): Alerts {
  const { db, now } = deps;
  const rules = alertRules(deps);
  const watch = createWatch();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  function run(isFirst = false): void {
    running = evaluateRules(deps, { isFirst, watch }).catch((fault: unknown) => deps.onFault(fault));
  }

  return {
    bindRoutes(bind) {
      bind(contract.listRules, async ({ query, caller }) => {
        const { page, limit } = query;
        const { rows, total } = await listVisibleRules(db, { ...readerOf(caller), now: now() }, query);
        return { rows, pagination: pageForm({ total, count: rows.length, limit, page }) };
      });
      bind(contract.listPickRules, async ({ caller }) => listRulesToPick(db, { ...readerOf(caller), now: now() }));
      bind(contract.createRule, async (call) => {
        requireChange(call.caller, [call.body.kind]);
        return createEntity(deps, rules, call);
      });
      bind(contract.getRule, async (call) => readEntity(db, rules, call));
      bind(contract.updateRule, async (call) => saveEntity(deps, rules, call));
      bind(contract.deleteRule, async (call) => removeEntity(deps, rules, call));
      bind(
        contract.previewRule,
        async ({ body, caller }) => {
          requireChange(caller, [body.kind]);
          const { kind } = body;
          const [scope, threshold] = [validScope(body.scope, [kind]), validThreshold(kind, body.threshold)];
          const measure = validMeasure(kind, body);
          requireRetention(kind, { ...measure, threshold }, deps.retentionDays);
          return previewRule(deps, { ...body, ...measure, id: body.rule_id, scope, threshold });
        },
        { slots: 'scans' },
      );
      bind(contract.listIncidents, async ({ query, caller }) => {
        const { page, limit, orderBy, orderDirection, ...filters } = query;
        const reader = readerOf(caller);
        const rows = await listVisibleIncidents(db, reader, { filters, orderBy, orderDirection, limit, offset: (page - 1) * limit });
        const total = page === 1 && rows.length < limit ? rows.length : await countVisibleIncidents(db, reader, { filters });
        return { rows, pagination: pageForm({ total, count: rows.length, limit, page }) };
      });
      bind(lists.listIncidentGroups, async ({ query, caller }) => {
        const { page, limit, by, ...filters } = query;
        const { rows, groups } = await listGroupedIncidents(db, readerOf(caller), { by, filters, limit, offset: (page - 1) * limit });
        return { rows, pagination: pageForm({ total: groups, count: rows.length, limit, page }) };
      });
      bind(lists.acknowledgeIncidents, async (call) => acknowledgeIncidents(deps, call));
      bind(lists.silenceIncidents, async (call) => silenceIncidents(deps, call));
      bind(lists.downloadIncidents, async (call) => new Download('incidents.csv', async (signal) => writeIncidentsFile(db, call, signal)));
      bind(contract.watchIncidents, async ({ query, caller }) => findIncidentNews(db, readerOf(caller), query.after));
      bind(contract.getIncident, async ({ params, caller }) => {
        return existingIncident(await findVisibleIncident(db, readerOf(caller), params.id));
      });
      bind(
        lists.getIncidentValues,
        async ({ params, caller }) => {
          const reader = readerOf(caller);
          const { id } = existingIncident(await findVisibleIncident(db, reader, params.id));
          // Streams that the caller is not shown decide, too, whether values are known.
          return readIncidentValues(deps, existingIncident(await findVisibleIncident(db, { ...reader, scope: 'all' }, id)));
        },
        { slots: 'scans' },
      );
      bind(contract.acknowledgeIncident, async (call) => acknowledgeIncident(deps, call));
      bind(contract.listSilences, async ({ caller }) => listSilences(deps, caller));
      bind(contract.createSilence, async (call) => createSilence(deps, call));
      bind(contract.endSilence, async (call) => endSilence(deps, call));
    },
    evaluate: async () => evaluateRules(deps, { isRepeat: true, watch }),
    /** Evaluates the rules at once and then every minute. */
    async start() {
      run(true);
      timer = setInterval(() => run(), everyMinutes * 60_000);
      await running;
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
    async maintain() {
      const before = new Date(now().getTime() - keptDays * 86_400_000);
      await deleteOldIncidents(db, before);
      await deleteOldSilences(db, before);
    },
  };
}

function existingIncident(incident: contract.IncidentDetails | undefined): contract.IncidentDetails {
  if (incident === undefined) throw notFound();
  return incident;
}

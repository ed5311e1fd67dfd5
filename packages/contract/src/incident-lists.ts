import { z } from 'zod';
import { alertLimits, createSilence, incident, incidentFilters, incidentsQuery } from './alerts.ts';
import { bulkTarget } from './bulk.ts';
import { csvFormat } from './csv-format.ts';
import { csvFile, defineEndpoint, sessionAccess } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, multiple, page, single } from './listing.ts';
import { plainText } from './text-fields.ts';

/** By what incidents are grouped. Those without a server or an app belong to no group of servers or apps. */
export const incidentGroupings = ['rule', 'server', 'app'] as const;
export type IncidentGrouping = (typeof incidentGroupings)[number];

/** Incidents of one rule, server or app. `worst` is the newest of the most severe ones, firing ones first. Dates are UTC texts. */
export const incidentGroup = z.object({ total: z.int(), critical: z.int(), firing: z.int(), since: z.string(), worst: incident });
export type IncidentGroup = z.output<typeof incidentGroup>;

export const incidentGroupsQuery = incidentFilters.extend({
  by: single(z.enum(incidentGroupings).default('rule')),
  page,
  limit: limit(defaultLimits.incidents),
});
export type IncidentGroupsQuery = z.output<typeof incidentGroupsQuery>;

export const listIncidentGroups = defineEndpoint({
  number: 383,
  method: 'GET',
  path: 'incidents/groups',
  summary: 'Numbers of incidents by rule, server or app, the most severe first',
  access: sessionAccess,
  query: incidentGroupsQuery,
  answer: { kind: 'page', row: incidentGroup },
});

/** Chosen incidents, or all that match the query string of the list except some. */
const target = bulkTarget;
const note = plainText(alertLimits.noteCharacters).default('');

export const acknowledgeIncidents = defineEndpoint({
  number: 384,
  method: 'POST',
  path: 'incidents/acknowledge',
  summary: 'Acknowledge many incidents; those that do not fire stay as they are',
  access: sessionAccess,
  recentSignIn: null,
  body: z.strictObject({ target, note }),
  answer: { kind: 'data', status: 200, schema: z.object({ acknowledged: z.int() }) },
});

export const silenceIncidents = defineEndpoint({
  number: 385,
  method: 'POST',
  path: 'incidents/silence',
  summary: 'Silence many open incidents: one silence for the apps of a rule, and one for each server of a rule',
  access: createSilence.access,
  recentSignIn: null,
  body: z.strictObject({ target, ...createSilence.body.pick({ note: true, ends_at: true }).shape }),
  answer: { kind: 'data', status: 201, schema: z.object({ silences: z.int() }) },
});

export const incidentExportColumns = [
  'id',
  'incident',
  'app',
  'server',
  'since',
  'value',
  'threshold',
  'severity',
  'state',
  'is_silenced',
  'rule',
  'affected',
  'acknowledged_at',
  'acknowledged_by',
  'resolved_at',
] as const;

/** Maximum number of incidents that a file names one by one. */
export const chosenIncidents = 500;
const chosen = () => multiple(z.string().regex(/^[1-9]\d{0,8}$/), { max: chosenIncidents });

const downloadQuery = incidentsQuery.omit({ page: true, limit: true }).extend({ ids: chosen(), except: chosen() });
export type IncidentsDownloadQuery = z.output<typeof downloadQuery>;

export const downloadIncidents = defineEndpoint({
  number: 386,
  method: 'GET',
  path: 'incidents/download',
  summary: 'The list of incidents as CSV; of some, or of all but some',
  access: sessionAccess,
  query: downloadQuery.extend(csvFormat),
  answer: csvFile(incidentExportColumns),
});

/** Days before an incident, and the days in all, of which its values are given. */
export const incidentValueDays = { before: 1, all: 14 } as const;

/** A value at the end of an hour; null where there were too few requests for one. Dates are UTC texts. */
const incidentValues = z.object({ points: z.array(z.object({ at: z.string(), value: z.number().nullable() })) });
export type IncidentValues = z.output<typeof incidentValues>;

export const getIncidentValues = defineEndpoint({
  number: 387,
  method: 'GET',
  path: 'incidents/{id}/values',
  summary: 'Hourly values of an incident, from a day before it began; none for kinds of which only the current value is known',
  access: sessionAccess,
  params: idParams,
  answer: { kind: 'data', status: 200, schema: incidentValues },
});

import { alertSeverities, incidentEvents } from '@switchyard/contract/alerts';
import { conversionTypes, proxyCacheSeconds } from '@switchyard/contract/app-rules';
import { appModes, cloakModes, linkStatuses, responseModes, verticalIds } from '@switchyard/contract/apps';
import { bulkResults, bulkStates } from '@switchyard/contract/bulk';
import { channelKinds } from '@switchyard/contract/channels';
import { messageStates } from '@switchyard/contract/message-delivery';
import { panels } from '@switchyard/contract/permissions';
import { lossKinds } from '@switchyard/contract/losses';
import { viewSharings } from '@switchyard/contract/saved-views';
import { tileShapes } from '@switchyard/contract/dashboard';
import { scheduleIntervals, scheduleMailStates } from '@switchyard/contract/schedules';
import { factorKinds } from '@switchyard/contract/second-factors';
import { optionalSecurityMails } from '@switchyard/contract/security-mails';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../test/test-database.ts';

/** Columns that take a value of a list, with the list of the contract, or of the server where the contract has none. */
const lists: Readonly<Record<string, readonly (string | number)[]>> = {
  'account_links.mail': ['queued', 'sent', 'retrying', 'failed'],
  'account_links.purpose': ['invitation', 'password_reset'],
  'accounts.panel': panels,
  'alert_rules.scope_apps': ['all', 'verticals', 'chosen'],
  'alert_rules.severity': alertSeverities,
  'api_tokens.kind': ['personal', 'service'],
  'apps.app_mode': appModes,
  'apps.cloak_mode': cloakModes,
  'apps.conversion_api_type': conversionTypes,
  'apps.proxy_cache_seconds': proxyCacheSeconds,
  'apps.response_mode': responseModes,
  'apps.vertical': verticalIds,
  'bulk_rows.check_result': bulkResults,
  'bulk_rows.result': bulkResults,
  'bulk_runs.state': bulkStates,
  'channel_messages.severity': alertSeverities,
  'channel_messages.state': messageStates,
  'channels.kind': channelKinds,
  'channels.minimum_severity': alertSeverities,
  'check_domains.status': linkStatuses,
  'dashboard_tiles.shape': tileShapes,
  'event_batches.state': ['open', 'stored', 'void'],
  'event_home.store': ['postgres', 'clickhouse'],
  'event_weeks.state': ['dropping', 'dropped'],
  'incident_events.event': incidentEvents,
  'incidents.severity': alertSeverities,
  'losses.kind': lossKinds,
  'place_checks.kind': ['push', 'conversion'],
  'roles.panel': panels,
  'saved_views.sharing': viewSharings,
  'second_factors.kind': factorKinds,
  'schedule_mails.state': scheduleMailStates,
  'schedules.interval': scheduleIntervals,
  'secret_keys.state': ['current', 'previous', 'replaced'],
  'sign_in_challenges.purpose': ['sign_in', 'passwordless', 'reauthenticate', 'add_totp', 'add_passkey'],
  'silences.scope_apps': ['all', 'verticals', 'chosen'],
  'switched_off_mails.event': optionalSecurityMails,
  'traffic_calendar.counts': ['events', 'deliveries'],
};

it('[ENT-001, ENT-011, ENT-013] the database accepts the values of the contract alone', async () => {
  const { databases } = await createTestDatabase();
  const { rows } = await databases.pools.ops.query<{ column: string; definition: string }>(
    `select c.relname || '.' || a.attname as column, pg_get_constraintdef(o.oid) as definition
     from pg_constraint o join pg_class c on c.oid = o.conrelid join pg_attribute a on a.attrelid = o.conrelid and array[a.attnum] = o.conkey
     where o.contype = 'c' and o.convalidated and c.relnamespace = 'public'::regnamespace and pg_get_constraintdef(o.oid) ~ '= ANY'`,
  );
  const valuesIn = (definition: string) =>
    Array.from(definition.matchAll(/'([^']*)'|\b(\d+)\b/g), ([, text, number]) => text ?? Number(number));
  expect(Object.fromEntries(rows.map((row) => [row.column, valuesIn(row.definition)]))).toEqual(lists);
});

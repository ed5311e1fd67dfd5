import type { Migration } from 'kysely/migration';
import { accountsAndApps } from './0001-accounts-and-apps.ts';
import { traffic } from './0002-traffic.ts';
import { googleStates } from './0003-google-states.ts';
import { pushesAndConversions } from './0004-pushes-and-conversions.ts';
import { linkTickets } from './0005-link-tickets.ts';
import { countedPages } from './0007-counted-pages.ts';
import { requestBatches } from './0008-request-batches.ts';
import { auditReading } from './0009-audit-reading.ts';
import { serverActivity } from './0010-server-activity.ts';
import { blackListAndAsns } from './0011-black-list-and-asns.ts';
import { edgeRevision } from './0012-edge-revision.ts';
import { asnWords } from './0013-asn-words.ts';
import { daysOfAllApps } from './0014-days-of-all-apps.ts';
import { daysOfApps } from './0015-days-of-apps.ts';
import { demoAccountMarks } from './0016-demo-accounts.ts';
import { knownAddresses } from './0017-known-addresses.ts';
import { knownPermissions } from './0021-known-permissions.ts';
import { auditLabels } from './0022-audit-labels.ts';
import { hoursOfDeliveries } from './0023-hours-of-deliveries.ts';
import { calendarOfEachStore } from './0024-calendar-of-each-store.ts';
import { callCounts } from './0025-call-counts.ts';
import { eventBatches } from './0026-event-batches.ts';
import { eventHome } from './0027-event-home.ts';
import { serverOfEvents } from './0028-server-of-events.ts';
import { countsOfReports } from './0029-counts-of-reports.ts';
import { deliveriesOfAClient } from './0030-deliveries-of-a-client.ts';
import { savedViews } from './0031-saved-views.ts';
import { searchWords } from './0032-search-words.ts';
import { auditSeals } from './0034-audit-seals.ts';
import { versionOfSignInRules } from './0035-version-of-sign-in-rules.ts';
import { accountLinks } from './0036-account-links.ts';
import { apiTokens } from './0037-api-tokens.ts';
import { searchMarks } from './0038-search-marks.ts';
import { outcomesOfDays } from './0039-outcomes-of-days.ts';
import { secondFactors } from './0033-second-factors.ts';

/** Every migration in order; a released one is never edited, only followed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-and-apps': accountsAndApps,
  '0002-traffic': traffic,
  '0003-google-states': googleStates,
  '0004-pushes-and-conversions': pushesAndConversions,
  '0005-link-tickets': linkTickets,
  '0007-counted-pages': countedPages,
  '0008-request-batches': requestBatches,
  '0009-audit-reading': auditReading,
  '0010-server-activity': serverActivity,
  '0011-black-list-and-asns': blackListAndAsns,
  '0012-edge-revision': edgeRevision,
  '0013-asn-words': asnWords,
  '0014-days-of-all-apps': daysOfAllApps,
  '0015-days-of-apps': daysOfApps,
  '0016-demo-accounts': demoAccountMarks,
  '0017-known-addresses': knownAddresses,
  '0021-known-permissions': knownPermissions,
  '0022-audit-labels': auditLabels,
  '0023-hours-of-deliveries': hoursOfDeliveries,
  '0024-calendar-of-each-store': calendarOfEachStore,
  '0025-call-counts': callCounts,
  '0026-event-batches': eventBatches,
  '0027-event-home': eventHome,
  '0028-server-of-events': serverOfEvents,
  '0029-counts-of-reports': countsOfReports,
  '0030-deliveries-of-a-client': deliveriesOfAClient,
  '0031-saved-views': savedViews,
  '0032-search-words': searchWords,
  '0033-second-factors': secondFactors,
  '0034-audit-seals': auditSeals,
  '0035-version-of-sign-in-rules': versionOfSignInRules,
  '0036-account-links': accountLinks,
  '0037-api-tokens': apiTokens,
  '0038-search-marks': searchMarks,
  '0039-outcomes-of-days': outcomesOfDays,
};

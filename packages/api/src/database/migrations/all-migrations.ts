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
import { signInAndTokens } from './0016-sign-in-and-tokens.ts';
import { sealedAudit } from './0017-sealed-audit.ts';
import { trafficCounts } from './0018-traffic-counts.ts';
import { eventEngines } from './0019-event-engines.ts';
import { searchAndChecks } from './0020-search-and-checks.ts';
import { savedViews } from './0021-saved-views.ts';
import { secretKeys } from './0022-secret-keys.ts';
import { bulkRuns } from './0023-bulk-runs.ts';
import { viewAs } from './0024-view-as.ts';
import { alerts } from './0025-alerts.ts';
import { channels } from './0026-channels.ts';
import { schedules } from './0027-schedules.ts';
import { asnsOfEvents } from './0028-asns-of-events.ts';
import { dashboard } from './0029-dashboard.ts';
import { bulkRowCounts } from './0032-bulk-row-counts.ts';
import { schedulesWithoutOwners } from './0034-schedules-without-owners.ts';
import { namesAndDomains } from './0031-names-and-domains.ts';
import { naturalOrder } from './0033-natural-order.ts';
import { alertAbsences } from './0037-alert-absences.ts';
import { channelsOfRules } from './0038-channels-of-rules.ts';
import { droppedMessages } from './0039-dropped-messages.ts';
import { losses } from './0040-losses.ts';
import { waitingIncidents } from './0042-waiting-incidents.ts';
import { windowsOfIncidents } from './0043-windows-of-incidents.ts';
import { referenceTables } from './0044-reference-tables-needs-0022.ts';
import { groupsOfMessages } from './0045-groups-of-messages.ts';
import { windowsOfRules } from './0047-windows-of-rules.ts';
import { schedulesToChannels } from './0048-schedules-to-channels-needs-0022.ts';
import { weeklySilences } from './0049-weekly-silences.ts';
import { inboxOfTheDemo } from './0050-inbox-of-the-demo.ts';

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
  '0016-sign-in-and-tokens': signInAndTokens,
  '0017-sealed-audit': sealedAudit,
  '0018-traffic-counts': trafficCounts,
  '0019-event-engines': eventEngines,
  '0020-search-and-checks': searchAndChecks,
  '0021-saved-views': savedViews,
  '0022-secret-keys': secretKeys,
  '0023-bulk-runs': bulkRuns,
  '0024-view-as': viewAs,
  '0025-alerts': alerts,
  '0026-channels': channels,
  '0027-schedules': schedules,
  '0028-asns-of-events': asnsOfEvents,
  '0029-dashboard': dashboard,
  '0031-names-and-domains-needs-0020': namesAndDomains,
  '0032-bulk-row-counts': bulkRowCounts,
  '0033-natural-order': naturalOrder,
  '0034-schedules-without-owners': schedulesWithoutOwners,
  '0037-alert-absences': alertAbsences,
  '0038-channels-of-rules': channelsOfRules,
  '0039-dropped-messages': droppedMessages,
  '0040-losses': losses,
  '0042-waiting-incidents': waitingIncidents,
  '0043-windows-of-incidents': windowsOfIncidents,
  '0044-reference-tables-needs-0022': referenceTables,
  '0045-groups-of-messages': groupsOfMessages,
  '0047-windows-of-rules': windowsOfRules,
  '0048-schedules-to-channels-needs-0022': schedulesToChannels,
  '0049-weekly-silences': weeklySilences,
  '0050-inbox-of-the-demo': inboxOfTheDemo,
};

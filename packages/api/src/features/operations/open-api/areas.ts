/** Areas of the product by how a path begins; the first that fits counts. */
const areas: readonly (readonly [start: string, area: string])[] = [
  ['sanctum/', 'Session'],
  ['google/', 'Session'],
  ['time', 'Settings and time'],
  ['settings', 'Settings and time'],
  ['apps/{id}/postbacks', "An app's traffic"],
  ['apps/{id}/pushes', "An app's traffic"],
  ['apps/{id}/conversions', "An app's traffic"],
  ['apps/conversions', "An app's traffic"],
  ['app', 'Apps'],
  ['verticals', 'Apps'],
  ['all-requests', 'All requests'],
  ['roles', 'Roles'],
  ['permissions', 'Roles'],
  ['users', 'Users'],
  ['buyers', 'Buyers'],
  ['servers', 'Servers'],
  ['dev', 'Developer tools'],
  ['docs/mobile', 'Developer tools'],
  ['log-viewer', 'Logs'],
  ['octopus-app/log', 'Logs'],
  ['octopus-app/asn', 'Autonomous systems'],
  ['black-list', 'Black list'],
  ['audit', 'Audit trail'],
  ['ingest', 'Ingestion'],
  ['edge', 'Ingestion'],
];

/** The area under which the reference shows a call, from its path. */
export function areaOf(path: string): string {
  return areas.find(([start]) => path.startsWith(start))?.[1] ?? 'Operations';
}

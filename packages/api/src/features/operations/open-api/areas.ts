/** Areas by prefix of the path. The first match counts. */
const areas: readonly (readonly [start: string, area: Area])[] = [
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
  ['reports', 'Reports'],
  ['requests', 'All requests'],
  ['clients', 'Clients and addresses'],
  ['addresses', 'Clients and addresses'],
  ['service-accounts', 'Roles'],
  ['roles', 'Roles'],
  ['sign-in-rules', 'Roles'],
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

/** Descriptions of the areas in the reference. */
const descriptions = {
  Session: 'Sign in and out, the own account and its sessions',
  'Settings and time': 'What the console is configured to, and the time of its server',
  "An app's traffic": 'Events, pushes and conversions of one app',
  Apps: 'Apps, their domains and statistics',
  'All requests': 'Requests of all apps within the scope of the caller',
  'Clients and addresses': 'What one client or one address did in the apps within the scope of the caller',
  Reports: 'Traffic grouped, summed and compared',
  Roles: 'Roles and the permissions they grant, service accounts',
  Users: 'Staff accounts, their access to apps and their sessions',
  Buyers: 'Accounts of buyers and their streams',
  Servers: 'Traffic servers and their secrets',
  'Developer tools': 'Encode and decode requests, and the documentation for apps',
  Logs: 'Daily log files of the console and of the app service',
  'Autonomous systems': 'Autonomous systems and their bans',
  'Black list': 'Addresses that are black-listed',
  'Audit trail': 'Who changed what',
  Ingestion: 'Calls of traffic servers: what they hand in, and what they are configured to',
  Operations: 'Health, metrics and the description of the API',
} as const satisfies Record<string, string>;
type Area = keyof typeof descriptions;

/** The area of a call by its path. */
export function areaOf(path: string): Area {
  return areas.find(([start]) => path.startsWith(start))?.[1] ?? 'Operations';
}

/** The tags of the document: the areas of these paths. */
export function tagsOf(paths: readonly string[]): { name: Area; description: string }[] {
  return [...new Set(paths.map(areaOf))].map((name) => ({ name, description: descriptions[name] }));
}

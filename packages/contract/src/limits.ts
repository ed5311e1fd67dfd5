/** Constants of the specification and the contract. */

import manifest from '../../../package.json' with { type: 'json' };

/** Version that runs: in the header, `settings`, OpenAPI and metrics. Between releases it is that of the next one with `-dev` (O43, O61). */
export const productVersion = manifest.version;

/** Page sizes to choose from, in addition to the default of the list. */
export const pageSizes = [20, 50, 100, 200] as const;
/** Maximum `limit` of any list. Larger values are reduced to it. */
export const maximumLimit = 200;
/** Maximum number of values of a query parameter. */
export const maximumQueryValues = 100;
/** Default page size of each list. */
export const defaultLimits = {
  apps: 20,
  postbacks: 50,
  allRequests: 50,
  timeline: 50,
  pushes: 50,
  conversions: 50,
  servers: 20,
  streams: 20,
  asns: 18,
  blackIps: 50,
  audit: 50,
  revisions: 20,
  logDays: 20,
  logEntries: 50,
  alertRules: 20,
  incidents: 50,
  messages: 50,
  picks: 50,
} as const;

/** Hours before its expiry from which a domain counts as expiring. */
export const domainExpiryHours = 168;

/** Body limits in bytes. */
export const bodyLimits = { json: 1_048_576, multipart: 5_242_880, ingest: 5_242_880 } as const;

/** Limits of ingestion. */
export const ingestLimits = {
  rowsPerCall: 5_000,
  /** Serialised size of a JSON field of an event. */
  jsonBytes: 262_144,
  userAgentCharacters: 2_048,
  /** Size of a push's message. */
  pushMessageBytes: 65_536,
  /** How far in the future a row's time may be. */
  hoursAhead: 24,
  botLabels: 16,
} as const;

/** Concurrent downloads of all processes, and how long a further one waits for a slot. */
export const downloadLimits = { slots: 3, waitMilliseconds: 30_000 } as const;

/** Live streams of requests. */
export const streamLimits = {
  openPerAccount: 5,
  rowsPerFrame: 500,
  /** Further rows within a second are skipped. */
  rowsPerSecond: 2_000,
  /** Maximum number and age of rows after a reconnect. */
  resumedRows: 10_000,
  resumedMinutes: 10,
  heartbeatMilliseconds: 15_000,
  retryMilliseconds: 3_000,
} as const;

/** Maximum age of cached statistics. */
export const statisticsCacheSeconds = 300;

/** Maximum length of a client uid. */
export const clientUidCharacters = 128;

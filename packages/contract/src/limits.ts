/** Constants of the specification and the contract, each once. */

/** The product's version as the header shows it (CONST-028). */
export const productVersion = '1.2.14';

/** Page sizes a reader may choose; the list's own default comes on top (O10). */
export const pageSizes = [20, 50, 100, 200] as const;
/** Largest `limit` any list honours; more is cut to it (api 0.6). */
export const maximumLimit = 200;
/** Most values a multi-value query parameter may have (api 0.6). */
export const maximumQueryValues = 100;
/** Default page sizes by list (api 0.6). */
export const defaultLimits = {
  apps: 20,
  postbacks: 50,
  allRequests: 50,
  pushes: 50,
  conversions: 50,
  servers: 20,
  streams: 20,
  asns: 18,
  blackIps: 50,
  audit: 50,
  logDays: 20,
  logEntries: 50,
} as const;

/** Body limits in bytes (api 0.1, O20). */
export const bodyLimits = { json: 1_048_576, multipart: 5_242_880, ingest: 5_242_880 } as const;

/** Rows a call and rules of ingestion (O20, api 13). */
export const ingestLimits = {
  rowsPerCall: 5_000,
  /** Serialised size of one JSON body of an event. */
  jsonBytes: 262_144,
  userAgentCharacters: 2_048,
  /** Size of a push's message. */
  pushMessageBytes: 65_536,
  /** How far ahead of now a row's time may lie. */
  hoursAhead: 24,
  botLabels: 16,
} as const;

/** Downloads that run at once, and how long a further one waits for its turn (api 0.8). */
export const downloadLimits = { places: 3, waitMilliseconds: 30_000 } as const;

/** Live streams of requests (api 0.14). */
export const streamLimits = {
  openPerAccount: 5,
  rowsPerFrame: 500,
  /** More matching rows within a second are left out. */
  rowsPerSecond: 2_000,
  /** What a stream that goes on where another ended gets at most, and how far back. */
  resumedRows: 10_000,
  resumedMinutes: 10,
  heartbeatMilliseconds: 15_000,
  retryMilliseconds: 3_000,
} as const;

/** A statistics answer from the cache is at most this old (AMB-075). */
export const statisticsCacheSeconds = 300;

/** Domain expiry warns under 7 days, SSL expiry under 14 (CONST-004, CONST-005). */
export const expiryWarning = { domainHours: 168, nearHours: 336 } as const;

/** Where texts are cut in tables and labels (CONST-013, CONST-014, CONST-040 to CONST-044). */
export const cuts = {
  appName: 28,
  hoverLabel: 22,
  streamName: { from: 25, to: 22 },
  serverName: 33,
  region: 15,
  asnDescription: 200,
  blackIpReason: 400,
} as const;

/** Uids longer than both ends together show only these (CONV-018, CONST-039). */
export const uidEnds = { first: 4, last: 4 } as const;

/** Width of a push's picture in pixels (CONST-046). */
export const pushImageWidth = 50;

/** Time spans of features in milliseconds (CONST-009 to CONST-012); those of widgets stand beside them. */
export const spans = {
  serverNotice: 10_000,
  validationDebounce: 500,
  sessionCheck: 300_000,
  serverTimeRefresh: 60_000,
} as const;

/** Widths in pixels (CONST-001 to CONST-003). */
export const breakpoints = { mobileMax: 767, appsMobile: 768, desktopMin: 1140 } as const;

/** Table height: window height minus its top offset minus this margin, never below the minimum (CONST-018). */
export const tableHeight = { margin: 36, minimum: 300 } as const;

/** From this depth on, JSON trees start collapsed (CONST-045). */
export const jsonCollapseDepth = 4;

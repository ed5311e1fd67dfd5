/** Lengths, sizes and times of the interface that the specification fixes. Those that the API needs too are in the contract's `limits`. */

/** Widths in pixels. */
export const breakpoints = { mobileMax: 767, appsMobile: 768, desktopMin: 1140 } as const;

/** Table height: window height minus its top offset minus this margin, never below the minimum. */
export const tableHeight = { margin: 36, minimum: 300 } as const;

/** Width of a push's picture in pixels. */
export const pushImageWidth = 50;

/** Characters after which tables and labels truncate a text. */
export const textLengths = {
  appName: 28,
  hoverLabel: 22,
  streamName: { from: 25, to: 22 },
  serverName: 33,
  region: 15,
  asnDescription: 200,
  blackIpReason: 400,
} as const;

/** Uids longer than both ends together show only these. */
export const uidEnds = { first: 4, last: 4 } as const;

/** From this depth on, JSON trees start collapsed. */
export const jsonCollapseDepth = 4;

/** Hours before the expiry of a certificate at which it is marked. */
export const certificateExpiryHours = 336;

/** Time spans in milliseconds. */
export const timeSpans = {
  /** After which a notification closes on its own. */
  notification: 20_000,
  /** After which the notice of a server that was linked, restarted or unlinked closes. */
  serverNotice: 10_000,
  /** For which the notification of a deletion offers to undo it. */
  undo: 10_000,
  /** After which a tooltip closes that has neither pointer nor focus. */
  tooltip: 3_000,
  /** For which the icon shows that it copied. */
  copyIcon: 300,
  /** For which a box or a button with words shows that it copied. */
  copyBox: 1_500,
  validationDebounce: 500,
  sessionCheck: 300_000,
  serverTimeRefresh: 60_000,
} as const;

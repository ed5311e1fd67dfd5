/** Levels of log entries, the gravest first (WID-072). */
export const logLevels = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The level of an entry: one of the eight, or the empty text where its line names none (O42). */
export const entryLevels = [...logLevels, ''] as const;
export type EntryLevel = (typeof entryLevels)[number];

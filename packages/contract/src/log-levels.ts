/** Levels of log entries, the gravest first (WID-072). */
export const logLevels = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

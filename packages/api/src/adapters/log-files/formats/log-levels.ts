import { logLevels, type LogLevel } from '@switchyard/contract/log-viewer';

/** Names of levels in common logging libraries and servers, in lower case. */
const names: ReadonlyMap<string, LogLevel> = new Map(
  Object.entries({
    emergency: ['emerg'],
    alert: [],
    critical: ['crit', 'fatal', 'ftl', 'panic', 'dpanic', 'fatal error', 'parse error', 'core error', 'compile error'],
    error: ['err', 'eror', 'fail', 'severe', 'recoverable fatal error', 'catchable fatal error'],
    warning: ['warn', 'wrn', 'core warning', 'compile warning'],
    notice: ['deprecated', 'strict standards'],
    info: ['inf', 'information', 'informational', 'log', 'system', 'note', 'success'],
    debug: ['dbg', 'dbug', 'trace', 'trce', 'trc', 'verbose', 'vrb', 'silly', 'http', 'fine', 'finer', 'finest', 'config'],
  } satisfies Record<LogLevel, string[]>).flatMap(([level, others]) =>
    logLevels.filter((name) => name === level).flatMap((name) => [name, ...others].map((written) => [written, name] as const)),
  ),
);

/** `DEBUG1` of PostgreSQL, `INFO2` of OpenTelemetry, `WARN+1` of slog. */
const variant = /^([a-z]+)(?:\d|[+-]\d{1,2})$/;

/** Most names are in capitals or in lower case. */
const usualNames: ReadonlyMap<string, LogLevel> = new Map(
  [...names].flatMap(([name, level]) => [[name, level] as const, [name.toUpperCase(), level] as const]),
);

/** The level of a name in any case; undefined if nobody uses it. */
export function levelOfName(name: string): LogLevel | undefined {
  const usual = usualNames.get(name);
  if (usual !== undefined) return usual;
  const written = name.trim().toLowerCase();
  return names.get(written) ?? names.get(variant.exec(written)?.[1] ?? '');
}

/** The level of a severity of syslog, or of a priority, which is a facility by eight and a severity. */
export function levelOfSyslog(priority: number): LogLevel | undefined {
  return logLevels[priority % 8];
}

/** Levels of glog and of other writers of one letter. */
const letters: Readonly<Record<string, LogLevel>> = {
  F: 'critical',
  A: 'critical',
  E: 'error',
  W: 'warning',
  I: 'info',
  D: 'debug',
  V: 'debug',
};

export function levelOfLetter(letter: string): LogLevel | undefined {
  return letters[letter];
}

/** pino and bunyan (10 to 80), and Monolog (100 to 600). */
const numbers: Readonly<Record<number, LogLevel>> = {
  10: 'debug',
  20: 'debug',
  30: 'info',
  35: 'notice',
  40: 'warning',
  50: 'error',
  60: 'critical',
  70: 'alert',
  80: 'emergency',
  100: 'debug',
  200: 'info',
  250: 'notice',
  300: 'warning',
  400: 'error',
  500: 'critical',
  550: 'alert',
  600: 'emergency',
};

/** By hundreds: severities of Google Cloud. */
const googleLevels = [undefined, ...logLevels.toReversed()];
/** By tens: levels of Python. */
const pythonLevels = [undefined, 'debug', 'info', 'warning', 'error', 'critical'] as const;
/** By fours: severities of OpenTelemetry. */
const openTelemetryLevels = ['debug', 'debug', 'info', 'warning', 'error', 'critical'] as const;

/** The level of a number, whose scale depends on its key, given in lower case. */
export function levelOfNumber(value: number, key: string): LogLevel | undefined {
  if (key === 'levelno') return pythonLevels[value / 10];
  if (key === 'severitynumber' || key === 'severity_number') return openTelemetryLevels[Math.floor((value - 1) / 4)];
  if (value >= 0 && value < 8) return logLevels[value];
  return key === 'severity' && value >= 100 ? googleLevels[value / 100] : numbers[value];
}

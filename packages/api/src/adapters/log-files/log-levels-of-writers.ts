import { logLevels, type LogLevel } from '@switchyard/contract/log-levels';

/** Names that writers use besides the viewers' own. */
const otherNames: Readonly<Record<string, LogLevel>> = {
  emerg: 'emergency',
  crit: 'critical',
  fatal: 'critical',
  err: 'error',
  warn: 'warning',
  trace: 'debug',
};

/** Numbers of pino (10 to 80) and of Monolog (100 to 600), which share none. */
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

/** The level that a writer's name or number stands for (O26); undefined for anything else. */
export function levelOf(value: unknown): LogLevel | undefined {
  if (typeof value === 'number') return numbers[value];
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return logLevels.find((level) => level === name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined);
}

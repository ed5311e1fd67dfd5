import type { LogEntry } from '@switchyard/contract/log-viewer';
import { asObject, parseObject } from './parse-object.ts';

/** What an entry says; `time` as it was written. */
type Parsed = Pick<LogEntry, 'env' | 'header' | 'context' | 'stack'> & { time: unknown };

const monolog = /^\[([^\]]+)\] ([^\s:[\]]+)\.[A-Za-z]+: ?(.*)$/s;
/** Where a context may begin. */
const contextStart = / \{"(?:[^"\\]|\\.)+":/s;
/** What Laravel writes of an exception that it spreads over the next lines. */
const spreadObject = '[object]';
const spreadException = '{"exception":"';
/** What Monolog writes of an empty context and extra. */
const emptyEnds = [' []', ' {}'] as const;
/** Starts of a context that are tried; texts with more braces stay as they are. */
const contextTries = 20;
/** A longer text is no time. */
const longestTime = 64;

/** An entry as it is shown, from its first line and the lines that follow it, the whole cut at 1 MiB. */
export function parseEntry(text: string): Omit<Parsed, 'time'> & Pick<LogEntry, 'datetime'> {
  const { time, ...parsed } = splitEntry(text);
  return { ...parsed, datetime: utcText(time) };
}

/** Reads an entry: its first line and the lines that follow it, the whole cut at 1 MiB. Never fails: what is no known form is shown raw. */
export function splitEntry(text: string): Parsed {
  const clean = text.replaceAll('\0', '').replaceAll('\r\n', '\n').trimEnd();
  const end = clean.indexOf('\n');
  const first = end === -1 ? clean : clean.slice(0, end);
  const rest = end === -1 ? null : clean.slice(end + 1);
  if (first.startsWith('{')) return parseJson(first, rest);
  const match = monolog.exec(first);
  if (!match) return { env: '', time: undefined, header: first, context: null, stack: rest };
  const [, time = '', env = '', message = ''] = match;
  return { env, time, ...splitMessage(message, rest) };
}

function splitMessage(message: string, rest: string | null): Pick<Parsed, 'header' | 'context' | 'stack'> {
  const text = withoutEmptyEnds(message);
  const found = parseTail(text);
  const spread = rest === null || found !== null ? -1 : startOfSpread(message);
  if (spread !== -1) {
    return { header: message.slice(0, spread).trimEnd(), context: null, stack: `${message.slice(spread).trimStart()}\n${rest}` };
  }
  return { header: found?.header ?? text, context: found?.context ?? null, stack: rest };
}

/** Where an exception begins that goes on in the next lines, or -1. Each search goes over the text once, whatever it holds (S26). */
function startOfSpread(message: string): number {
  const exception = message.indexOf(spreadException);
  const start = contextStart.exec(message);
  const isObject = start !== null && message.lastIndexOf(spreadObject) >= start.index + start[0].length;
  if (!isObject) return exception;
  return exception === -1 ? start.index : Math.min(start.index, exception);
}

function withoutEmptyEnds(message: string): string {
  let end = message.trimEnd().length;
  while (emptyEnds.some((empty) => message.endsWith(empty, end))) end -= emptyEnds[0].length;
  return message.slice(0, end).trimEnd();
}

/** The context at the end of a message, which is JSON. */
function parseTail(text: string): { header: string; context: unknown } | null {
  if (!text.endsWith('}')) return null;
  let start = text.startsWith('{') ? 0 : text.indexOf(' {');
  for (let tries = 0; start !== -1 && tries < contextTries; tries += 1) {
    const context = parseObject(text.slice(start));
    if (context) return { header: text.slice(0, start).trimEnd(), context };
    start = text.indexOf(' {', start + 1);
  }
  return null;
}

/** Keys as O26 names them. */
function parseJson(line: string, rest: string | null): Parsed {
  const value = parseObject(line);
  if (!value) return { env: '', time: undefined, header: line, context: null, stack: rest };
  const { level: _level, level_name: _levelName, time, datetime, msg, message, env, channel, context, stack, exception, ...others } = value;
  const error = asObject(others['err']);
  if (error) {
    const { stack: _stack, ...told } = error;
    others['err'] = told;
  }
  const own = textOf(stack ?? error?.['stack'] ?? exception);
  const remaining = Object.keys(others).length === 0 ? null : others;
  return {
    env: textOf(env ?? channel) ?? '',
    time: time ?? datetime,
    header: textOf(msg ?? message) ?? '',
    context: isEmpty(context) ? remaining : context,
    stack: own === null ? rest : rest === null ? own : `${own}\n${rest}`,
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `YYYY-MM-DD HH:mm:ss` in UTC (api 0.5), empty where none was written; a time without an offset is UTC. A text that is no time stays as it is. */
function utcText(value: unknown): string {
  const plain = asObject(value)?.['date'] ?? value;
  if (typeof plain === 'number') return dateText(new Date(plain)) ?? '';
  if (typeof plain !== 'string') return '';
  if (plain.length > longestTime) return plain;
  const iso = plain
    .trim()
    .replace(/^(\S{10}) /, '$1T')
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/\s+(?=[+-])/, '');
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`;
  return dateText(new Date(zoned)) ?? plain;
}

function dateText(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 19).replace('T', ' ');
}

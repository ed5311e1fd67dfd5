import type { LogEntry } from '@switchyard/contract/log-viewer';
import { asObject, parseObject } from './parse-object.ts';
import { parseTail } from './parse-tail.ts';
import { readPlainLine } from './plain-line.ts';
import { utcText } from './utc-text.ts';

/** What an entry says; `time` as it was written. */
type Parsed = Pick<LogEntry, 'env' | 'header' | 'context' | 'extra' | 'stack'> & { time: unknown };

const monolog = /^\[([^\]]+)\] ([^\s:[\]]+)\.[A-Za-z]+: ?(.*)$/s;
/** Where a context may begin. */
const contextStart = / \{"(?:[^"\\]|\\.){1,200}":/s;
/** What Laravel writes of an exception, and of its trace in the lines that follow. */
const spreadObject = '[object] (';
const spreadException = '{"exception":"';
const traceStart = '\n[stacktrace]\n';

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
  if (match) {
    const [, time = '', env = '', message = ''] = match;
    return { env, time, ...splitMessage(message, rest) };
  }
  const plain = readPlainLine(first);
  return { env: '', time: plain?.time, header: plain?.header ?? first, context: null, stack: rest };
}

type Message = Pick<Parsed, 'header' | 'context' | 'extra' | 'stack'>;

function splitMessage(message: string, rest: string | null): Message {
  const tail = parseTail(message.trimEnd());
  if (tail) return withTrace(tail.header, tail, rest);
  return (rest === null ? null : splitSpreadObject(message, rest)) ?? { header: message.trimEnd(), context: null, stack: rest };
}

/** Reads an object that goes on in the next lines, such as an exception of Laravel's; null where none does (O42). */
function splitSpreadObject(message: string, rest: string): Message | null {
  const text = `${message}\n${rest}`;
  // A message of many lines may stand in front of an exception, but of nothing else.
  const tail = parseTail(text, rest.includes(spreadObject) ? text.length : message.length);
  if (tail) return withTrace(tail.header, tail, null);
  const start = startOfSpread(message);
  return start === -1 ? null : { header: message.slice(0, start).trimEnd(), context: null, stack: text.slice(start).trimStart() };
}

/** Where an exception begins that is not whole, or -1. Each search goes over the text once, whatever it holds (S26). */
function startOfSpread(message: string): number {
  const exception = message.indexOf(spreadException);
  const start = contextStart.exec(message);
  const isObject = start !== null && message.lastIndexOf(spreadObject) >= start.index + start[0].length;
  if (!isObject) return exception;
  return exception === -1 ? start.index : Math.min(start.index, exception);
}

/** Cuts the trace of an exception out of a context: it is the stack (O42). */
function withTrace(header: string, { context, extra }: { context: unknown; extra: unknown }, rest: string | null): Message {
  const traces: string[] = [];
  const others = Object.entries(asObject(context) ?? {}).map(([key, value]) => {
    const at = typeof value === 'string' && value.startsWith(spreadObject) ? value.indexOf(traceStart) : -1;
    if (typeof value !== 'string' || at === -1) return [key, value];
    traces.push(value.slice(at + 1).trimEnd());
    return [key, value.slice(0, at)];
  });
  const stack = [...traces, ...(rest === null ? [] : [rest])].join('\n');
  return {
    header,
    context: traces.length > 0 ? Object.fromEntries(others) : context,
    ...extraOf(extra),
    stack: stack === '' ? rest : stack,
  };
}

/** The key is there only where there is something to say. */
function extraOf(extra: unknown): Pick<LogEntry, 'extra'> {
  return isEmpty(extra) ? {} : { extra };
}

/** Keys as O26 names them; `extra` beside a context is Monolog's. */
function parseJson(line: string, rest: string | null): Parsed {
  const value = parseObject(line);
  if (!value) return { env: '', time: undefined, header: line, context: null, stack: rest };
  const { level: _level, level_name: _levelName, time, datetime, msg, message, env, channel, context, stack, exception, ...others } = value;
  const error = asObject(others['err']);
  if (error) {
    const { stack: _stack, ...told } = error;
    others['err'] = told;
  }
  const hasContext = 'context' in value;
  const { extra, ...withoutExtra } = others;
  const remaining = hasContext ? withoutExtra : others;
  const own = textOf(stack ?? error?.['stack'] ?? exception);
  return {
    env: textOf(env ?? channel) ?? '',
    time: time ?? datetime,
    header: textOf(msg ?? message) ?? '',
    context: isEmpty(context) ? (isEmpty(remaining) ? null : remaining) : context,
    ...(hasContext ? extraOf(extra) : {}),
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

import type { LogEntry } from '@switchyard/contract/log-viewer';
import { isEmpty, membersOf, objectOf, parseExactObject, plainValue, textOf, utcText } from './entry-values.ts';
import { parseTail } from './parse-tail.ts';
import { readPlainLine } from './classify-line.ts';

/** Parts of an entry. `time` has the form of the file. */
type ParsedEntry = Pick<LogEntry, 'env' | 'header' | 'context' | 'extra' | 'stack'> & { time: unknown };

const monolog = /^\[([^\]]+)\] ([^\s:[\]]+)\.[A-Za-z]+: ?(.*)$/s;
/** Possible start of a context. */
const contextStart = / \{"(?:[^"\\]|\\.){1,200}":/s;
/** Laravel's forms of an exception, and of its stack trace in the following lines. */
const spreadObject = '[object] (';
const spreadException = '{"exception":"';
const traceStart = '\n[stacktrace]\n';

/** Parses an entry for display, with its time in UTC. `text` is the first line and the lines that continue it, cut at 1 MiB. */
export function parseEntry(text: string): Omit<ParsedEntry, 'time'> & Pick<LogEntry, 'datetime'> {
  const { time, ...parsedFields } = splitEntry(text);
  return { ...parsedFields, datetime: utcText(time) };
}

/** Splits an entry into its parts. Never fails: the header of an unknown form is its whole first line. */
export function splitEntry(text: string): ParsedEntry {
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

type Message = Pick<ParsedEntry, 'header' | 'context' | 'extra' | 'stack'>;

function splitMessage(message: string, rest: string | null): Message {
  const tail = parseTail(message.trimEnd());
  if (tail) return withTrace(tail.header, tail, rest);
  return (rest === null ? null : splitSpreadObject(message, rest)) ?? { header: message.trimEnd(), context: null, stack: rest };
}

/** Parses an object that continues in the next lines, such as an exception of Laravel; null if there is none. */
function splitSpreadObject(message: string, rest: string): Message | null {
  const text = `${message}\n${rest}`;
  // Only an exception may follow a message of several lines.
  const tail = parseTail(text, rest.includes(spreadObject) ? text.length : message.length);
  if (tail) return withTrace(tail.header, tail, null);
  const start = startOfSpread(message);
  return start === -1 ? null : { header: message.slice(0, start).trimEnd(), context: null, stack: text.slice(start).trimStart() };
}

/** The start of an incomplete exception, or -1. Scans the text in linear time. */
function startOfSpread(message: string): number {
  const exception = message.indexOf(spreadException);
  const start = contextStart.exec(message);
  const isObject = start !== null && message.lastIndexOf(spreadObject) >= start.index + start[0].length;
  if (!isObject) return exception;
  return exception === -1 ? start.index : Math.min(start.index, exception);
}

/** Moves the stack trace of an exception from the context to the stack. */
function withTrace(header: string, { context, extra }: { context: unknown; extra: unknown }, rest: string | null): Message {
  const traces: string[] = [];
  const members = membersOf(context).map(([key, value]) => {
    const text = plainValue(value);
    const at = typeof text === 'string' && text.startsWith(spreadObject) ? text.indexOf(traceStart) : -1;
    if (typeof text !== 'string' || at === -1) return [key, value] as const;
    traces.push(text.slice(at + 1).trimEnd());
    return [key, text.slice(0, at)] as const;
  });
  const stack = [...traces, ...(rest === null ? [] : [rest])].join('\n');
  return {
    header,
    context: traces.length > 0 ? objectOf(members, context) : context,
    ...extraOf(extra),
    stack: stack === '' ? rest : stack,
  };
}

/** The key is omitted if it is empty. */
function extraOf(extra: unknown): Pick<LogEntry, 'extra'> {
  return isEmpty(extra) ? {} : { extra };
}

/** Keys of an entry of JSON that are no context. */
const namedKeys: ReadonlySet<string> = new Set([
  'level',
  'level_name',
  'time',
  'datetime',
  'msg',
  'message',
  'env',
  'channel',
  'context',
  'stack',
  'exception',
]);

/** Reads an entry of JSON. `extra` beside a context is Monolog's; other unknown keys become the context. */
function parseJson(line: string, rest: string | null): ParsedEntry {
  const value = parseExactObject(line);
  if (!value) return { env: '', time: undefined, header: line, context: null, stack: rest };
  const members = membersOf(value);
  const fields = new Map(members);
  const context = fields.get('context');
  const hasContext = fields.has('context');
  const error = fields.get('err');
  const errorMembers = membersOf(error);
  const shownError = objectOf(
    errorMembers.filter(([key]) => key !== 'stack'),
    error,
  );
  const remaining = members
    .filter(([key]) => !namedKeys.has(key) && !(hasContext && key === 'extra'))
    .map(([key, member]) => [key, member === error && errorMembers.length > 0 ? shownError : member] as const);
  const own = textOf(fields.get('stack') ?? new Map(errorMembers).get('stack') ?? fields.get('exception'));
  return {
    env: textOf(fields.get('env') ?? fields.get('channel')) ?? '',
    time: plainValue(fields.get('time') ?? fields.get('datetime')),
    header: textOf(fields.get('msg') ?? fields.get('message')) ?? '',
    context: isEmpty(context) ? (remaining.length === 0 ? null : objectOf(remaining, value)) : context,
    ...(hasContext ? extraOf(fields.get('extra')) : {}),
    stack: own === null ? rest : rest === null ? own : `${own}\n${rest}`,
  };
}

import type { LogEntry } from '@switchyard/contract/log-viewer';
import { isEmpty, membersOf, objectOf, plainValue } from '../entry-values.ts';
import { bytesOf, type LogFormat, type ParsedEntry } from './log-format.ts';
import { levelOfName } from './log-levels.ts';
import { parseTail } from './parse-tail.ts';

/** The date of most writers, which is fast to recognise. */
const isoStart = /^\[\d{4}-\d\d-\d\d[ T][^[\]]{5,53}\] [^\s:[\]]{1,255}\.([A-Za-z]{3,12}):/;
/** `[2026-11-20 10:11:12] production.ERROR: text`, with a date in any form. */
const usualStart = /^\[(?=[^\]]{0,24}\d\d)([^[\]]{5,64})\] ([^\s:[\]]{1,255})\.([A-Za-z]{3,12}):/;
/** A channel is any text; without a level of Monolog it could also be the message. */
const anyChannelStart = /^\[(?=[^\]]{0,24}\d\d)([^[\]]{5,64})\] (.{1,255}?)\.(DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY):/;

/** Possible start of a context. */
const contextStart = / \{"(?:[^"\\]|\\.){1,200}":/s;
/** Laravel's forms of an exception, and of its stack trace in the following lines. */
const spreadObject = '[object] (';
const spreadException = '{"exception":"';
const traceStart = '\n[stacktrace]\n';

/** Text of Monolog's `LineFormatter`, as Laravel, Symfony and Magento write it. */
export const monolog: LogFormat = {
  name: 'monolog',
  starts: bytesOf('['),
  level({ head }) {
    const level = isoStart.exec(head)?.[1] ?? startOf(head)?.[3];
    return level === undefined ? null : (levelOfName(level) ?? '');
  },
  parse({ first, rest }) {
    const match = startOf(first);
    if (match === null) return null;
    const [start, time = '', env = ''] = match;
    return { env, time, ...splitMessage(first.slice(start.length).replace(/^ /, ''), rest) };
  },
};

function startOf(line: string): RegExpExecArray | null {
  return usualStart.exec(line) ?? anyChannelStart.exec(line);
}

type Message = Pick<ParsedEntry, 'header' | 'context' | 'extra' | 'stack'>;

/** Parses a message, whose context may be in a later line, and may have several lines itself. */
function splitMessage(message: string, rest: string | null): Message {
  const own = parseTail(message.trimEnd());
  if (own !== null) return withTrace(own.header, own, rest);
  if (rest !== null) {
    const text = `${message}\n${rest}`;
    const tail = parseTail(text);
    if (tail !== null) return withTrace(tail.header, tail, null);
    const start = startOfSpread(message);
    if (start !== -1) return { header: message.slice(0, start).trimEnd(), context: null, stack: text.slice(start).trimStart() };
  }
  return { header: message.trimEnd(), context: null, stack: rest };
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

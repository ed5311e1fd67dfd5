import type { EntryLevel, LogLevel } from '@switchyard/contract/log-viewer';
import { JsonText } from '@switchyard/contract/exact-json';
import {
  elementsOf,
  isEmpty,
  membersOf,
  objectOf,
  parseExactObject,
  parseObject,
  plainValue,
  textOf,
  type Members,
} from '../entry-values.ts';
import { bytesOf, type LogFormat, type ParsedEntry } from './log-format.ts';
import { levelOfLetter, levelOfName, levelOfNumber } from './log-levels.ts';
import { readTime } from './log-times.ts';

/** Keys that name the level, in lower case; the first with a known level counts. */
const levelKeys = (
  'level level_name levelname log.level loglevel log_level lvl @l severity severitytext severity_text severitynumber severity_number ' +
  'levelno priority monolog_level'
).split(' ');
/** Keys that name the time; the first that is one counts. */
const timeKeys = (
  '@timestamp timestamp time ts @t datetime asctime timeunixnano __realtime_timestamp timemillis instant eventtime event_time ' +
  'observedtimeunixnano starttime created date t'
).split(' ');
/** Keys that name the message; the first with one counts. */
const messageKeys = 'msg message @m @mt renderedmessage messagetemplate short_message log event body textpayload data'.split(' ');
/** Keys that hold a stack trace. */
const stackKeys = ['stack', 'stacktrace', 'stack_trace', '@x', 'exception', 'exc_info', 'error.stack_trace', 'error.stack'];
/** Keys of an error whose stack trace is in it. */
const errorKeys = ['err', 'error'];
const otherNamedKeys = ['env', 'channel', 'context'];

/** pino and others write the level first, so the rest need not be parsed. */
const levelFirst = /^\{"level":(?:"([A-Za-z]{3,9})"|(\d{2,3})(?=[,}]))/;
const levelAnywhere = /"level(?:_name)?":(?:"([A-Za-z]{3,9})"|(\d{2,3})(?=[,}]))/;

/** A JSON object that fills a line is an entry, whatever its keys. */
export const jsonLines: LogFormat = {
  name: 'json',
  starts: bytesOf('{'),
  level(line) {
    const { head, isCut } = line;
    if (!head.startsWith('{')) return null;
    if (isCut) return head.startsWith('{"') ? (levelOfMatch(levelAnywhere.exec(line.whole())) ?? '') : null;
    // A line without a closing brace is not JSON, so it need not be parsed.
    if (line.lastCharacter() !== '}') return null;
    const known = levelOfMatch(levelFirst.exec(head));
    if (known !== undefined) return known;
    const value = parseObject(line.whole());
    if (value === null || isEmpty(value)) return null;
    // The key that counts first, and is the most usual.
    return (
      levelOfField('level', { key: 'level', value: value['level'] }) ?? findLevel(fieldsOf(unwrap(Object.entries(value))))?.level ?? ''
    );
  },
  parse({ first, rest }) {
    const value = first.startsWith('{') ? parseExactObject(first) : null;
    return value === null || isEmpty(value) ? null : parseMembers(unwrap(membersOf(value)), first, rest);
  },
};

function levelOfMatch(match: RegExpExecArray | null): LogLevel | undefined {
  if (match === null) return undefined;
  return match[1] === undefined ? levelOfNumber(Number(match[2]), 'level') : levelOfName(match[1]);
}

/** A member with the key as it is written. */
type Field = { key: string; value: unknown };

/** Members by their keys in lower case, and those of the object `log` of the Elastic Common Schema. */
function fieldsOf(members: Members): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const [key, value] of members) {
    fields.set(key.toLowerCase(), { key, value });
    if (key !== 'log') continue;
    for (const [inner, innerValue] of membersOf(value)) if (inner === 'level') fields.set('log.level', { key, value: innerValue });
  }
  return fields;
}

function findLevel(fields: ReadonlyMap<string, Field>): { key: string; level: EntryLevel } | undefined {
  for (const key of levelKeys) {
    const level = levelOfField(key, fields.get(key));
    if (level !== undefined) return { key, level };
  }
  // MongoDB writes a letter and no other key of a level.
  const letter = plainValue(fields.get('s')?.value);
  const ofLetter =
    fields.has('t') && typeof letter === 'string' && /^[FEWID]\d?$/.test(letter) ? levelOfLetter(letter.slice(0, 1)) : undefined;
  if (ofLetter !== undefined) return { key: 's', level: ofLetter };
  // Serilog leaves its default out.
  return fields.has('@t') && !fields.has('@l') ? { key: '@l', level: 'info' } : undefined;
}

function levelOfField(name: string, field: Field | undefined): LogLevel | undefined {
  // `priority` in lower case is not that of the journal.
  if (field === undefined || (name === 'priority' && field.key !== 'PRIORITY')) return undefined;
  const value = plainValue(field.value);
  if (value === undefined) return undefined;
  if (typeof value === 'number') return levelOfNumber(value, name);
  if (typeof value === 'string') return /^\d{1,3}$/.test(value) ? levelOfNumber(Number(value), name) : levelOfName(value);
  // log4js writes the level as an object.
  const written = typeof value === 'object' && value !== null && 'levelStr' in value ? value.levelStr : undefined;
  return typeof written === 'string' ? levelOfName(written) : undefined;
}

/** Looser keys name a time only if their value is one. */
const firstLooseKey = timeKeys.indexOf('starttime');

function findTime(fields: ReadonlyMap<string, Field>): { key: string; value: unknown } | undefined {
  const candidates = timeKeys.flatMap((key, order) => {
    const value = fields.get(key)?.value;
    return value === undefined || value === null ? [] : [{ key, value, order, ...readTime(value) }];
  });
  const known = candidates.find(({ at, order }) => at !== '' && (order < firstLooseKey || at > '1990'));
  return known ?? candidates.find(({ text, order }) => text !== '' && order < firstLooseKey);
}

function findMessage(fields: ReadonlyMap<string, Field>): { keys: string[]; text: string } | undefined {
  for (const key of messageKeys) {
    const field = fields.get(key);
    if (field === undefined) continue;
    const text = messageOf(key, field.value, fields);
    // Serilog writes the message beside its template.
    if (text !== null) return { keys: key === '@m' ? [key, '@mt'] : [key], text };
  }
  return undefined;
}

/** Keys that are also usual in data; only their texts are messages. */
const looseMessageKeys = new Set(['log', 'event', 'body', 'data', 'textpayload']);

function messageOf(key: string, value: unknown, fields: ReadonlyMap<string, Field>): string | null {
  const plain = plainValue(value);
  if (!looseMessageKeys.has(key)) return textOf(value);
  if (key === 'log' && !fields.has('stream')) return null;
  if (key === 'data' && !fields.has('categoryname')) return null;
  if (typeof plain === 'string') return plain.replace(/\r?\n$/, '');
  if (Array.isArray(plain) && plain.length > 0) return plain.length === 1 && typeof plain[0] === 'string' ? plain[0] : textOf(value);
  // The body of an OpenTelemetry record.
  const [[kind, text] = []] = membersOf(value);
  return key === 'body' && kind === 'stringValue' ? textOf(text) : null;
}

/** The members of the only record of an OpenTelemetry export (OTLP JSON), with its resource; any other members as they are. */
function unwrap(members: Members): Members {
  const [first, ...others] = members;
  if (first?.[0] !== 'resourceLogs' || others.length > 0) return members;
  const resource = onlyOf(first[1]);
  const scope = onlyOf(memberOf(resource, 'scopeLogs'));
  const record = onlyOf(memberOf(scope, 'logRecords'));
  if (record === undefined) return members;
  const outer = [...membersOf(resource), ...membersOf(scope)].filter(([key]) => key === 'resource' || key === 'scope');
  return [...membersOf(record), ...outer];
}

function memberOf(value: unknown, name: string): unknown {
  return membersOf(value).find(([key]) => key === name)?.[1];
}

/** The only element of a list; undefined for any other value. */
function onlyOf(value: unknown): unknown {
  const [only, ...others] = elementsOf(value);
  return others.length > 0 ? undefined : only;
}

function parseMembers(members: Members, first: string, rest: string | null): ParsedEntry {
  const fields = fieldsOf(members);
  const [level, time, message] = [findLevel(fields), findTime(fields), findMessage(fields)];
  const stackKey = stackKeys.find((key) => textOf(fields.get(key)?.value) !== null);
  const errorKey = errorKeys.find((key) => membersOf(fields.get(key)?.value).some(([inner]) => stackKeys.includes(inner)));
  const error = errorKey === undefined ? undefined : fields.get(errorKey)?.value;
  const own = textOf(stackKey === undefined ? membersOf(error).find(([key]) => stackKeys.includes(key))?.[1] : fields.get(stackKey)?.value);
  const hasContext = fields.has('context');
  const named = new Set([...otherNamedKeys, ...(hasContext ? ['extra'] : []), time?.key, ...(message?.keys ?? []), stackKey]);
  const isLevel = (key: string) =>
    level !== undefined && (key === level.key || (levelKeys.includes(key) && levelOfField(key, fields.get(key)) === level.level));
  const remaining = members.flatMap(([key, member]): Members => {
    const name = key.toLowerCase();
    if (named.has(name) || isLevel(name)) return [];
    if (error !== undefined && name === errorKey) return [[key, without(error, stackKeys)]];
    return [[key, name === 'log' && level?.key === 'log.level' ? without(member, ['level']) : member]];
  });
  const others = remaining.filter(([key, member]) => key !== 'log' || level?.key !== 'log.level' || !isEmpty(member));
  return {
    env: textOf(fields.get('env')?.value ?? fields.get('channel')?.value) ?? '',
    time: time?.value,
    header: message?.text ?? first,
    context: contextOf(fields.get('context')?.value, others),
    ...(hasContext && !isEmpty(fields.get('extra')?.value) ? { extra: fields.get('extra')?.value } : {}),
    stack: own === null ? rest : rest === null ? own : `${own}\n${rest}`,
  };
}

function without(value: unknown, keys: readonly string[]): unknown {
  return objectOf(
    membersOf(value).filter(([key]) => !keys.includes(key)),
    value,
  );
}

/** The context and the keys beside it, so that nothing is lost. */
function contextOf(context: unknown, others: Members): unknown {
  if (others.length === 0) return isEmpty(context) ? null : context;
  const members = membersOf(context);
  const own = members.length > 0 || isEmpty(context) ? members : [['context', context] as const];
  // Keeps a key that both have.
  return objectOf([...own, ...others], new JsonText('{}'));
}

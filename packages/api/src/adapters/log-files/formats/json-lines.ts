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
/** Objects whose members count, too: of the Elastic Common Schema, and of errors. */
const outerKeys = ['log', 'err', 'error'];
const stackPaths = [...stackKeys, ...['err', 'error'].flatMap((outer) => stackKeys.map((key) => `${outer}.${key}`))];

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
      levelOfField({ name: 'level', key: 'level', value: value['level'] }) ??
      findLevel(fieldsOf(unwrap(Object.entries(value))), undefined)?.level ??
      ''
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

/** A member. `name`: the key in lower case, behind that of the object that it is in; `place`: its position, behind that of the object. */
type Field = { name: string; key: string; value: unknown; place: string };
type Fields = ReadonlyMap<string, readonly Field[]>;

/** Fields by their names. A key in lower case precedes others of the same name. */
function fieldsOf(members: Members): Fields {
  const fields = new Map<string, Field[]>();
  addFields(fields, members, { name: '', place: '' });
  for (const outer of outerKeys) {
    for (const { value, place } of fields.get(outer) ?? []) {
      addFields(fields, membersOf(value), { name: `${outer}.`, place: `${place}.` });
    }
  }
  return fields;
}

function addFields(fields: Map<string, Field[]>, members: Members, outer: Pick<Field, 'name' | 'place'>): void {
  for (const [at, [key, value]] of members.entries()) {
    const lowerCase = key.toLowerCase();
    const field = { name: outer.name + lowerCase, key, value, place: `${outer.place}${at}` };
    const others = fields.get(field.name);
    const repeated = others?.findIndex((other) => other.key === key) ?? -1;
    if (others === undefined) fields.set(field.name, [field]);
    // The last one of a repeated key counts, as with `JSON.parse`, by which the level of a line is read.
    else if (repeated !== -1) others[repeated] = field;
    else if (key === lowerCase) others.unshift(field);
    else others.push(field);
  }
}

/** The fields of these names that have a value, in the order of the names. */
function fieldsNamed(fields: Fields, names: readonly string[]): Field[] {
  const found: Field[] = [];
  for (const name of names)
    for (const field of fields.get(name) ?? []) if (field.value !== undefined && field.value !== null) found.push(field);
  return found;
}

/** The level, and the fields that say it. `known`: a level that was found before. */
function findLevel(fields: Fields, known: LogLevel | undefined): { level: EntryLevel; used: readonly Field[] } | undefined {
  const candidates = fieldsNamed(fields, levelKeys).map((field) => ({ field, level: levelOfField(field) }));
  const found = known ?? candidates.find(({ level }) => level !== undefined)?.level;
  if (found !== undefined) return { level: found, used: candidates.flatMap(({ field, level }) => (level === found ? [field] : [])) };
  // MongoDB writes a letter and no other key of a level.
  const [letter] = fieldsNamed(fields, ['s']);
  const text = plainValue(letter?.value);
  const ofLetter = fields.has('t') && typeof text === 'string' && /^[FEWID]\d?$/.test(text) ? levelOfLetter(text.slice(0, 1)) : undefined;
  if (letter !== undefined && ofLetter !== undefined) return { level: ofLetter, used: [letter] };
  // Serilog leaves its default out.
  return fields.has('@t') && !fields.has('@l') ? { level: 'info', used: [] } : undefined;
}

function levelOfField({ name, key, value: exactValue }: Omit<Field, 'place'>): LogLevel | undefined {
  // `priority` in lower case is not that of the journal.
  if (name === 'priority' && key !== 'PRIORITY') return undefined;
  const value = plainValue(exactValue);
  if (typeof value === 'number') return levelOfNumber(value, name);
  if (typeof value === 'string') return /^\d{1,3}$/.test(value) ? levelOfNumber(Number(value), name) : levelOfName(value);
  // log4js writes the level as an object.
  const written = typeof value === 'object' && value !== null && 'levelStr' in value ? value.levelStr : undefined;
  return typeof written === 'string' ? levelOfName(written) : undefined;
}

/** Looser keys name a time only if their value is one. */
const firstLooseKey = timeKeys.indexOf('starttime');

function findTime(fields: Fields): Field | undefined {
  const candidates = fieldsNamed(fields, timeKeys).map((field) => {
    return { field, isLoose: timeKeys.indexOf(field.name) >= firstLooseKey, ...readTime(field.value) };
  });
  const known = candidates.find(({ at, isLoose }) => at !== '' && (!isLoose || at > '1990'));
  return (known ?? candidates.find(({ text, isLoose }) => text !== '' && !isLoose))?.field;
}

function findMessage(fields: Fields): { text: string; used: readonly Field[] } | undefined {
  for (const field of fieldsNamed(fields, messageKeys)) {
    const text = messageOf(field, fields);
    // Serilog writes the message beside its template.
    if (text !== null) return { text, used: [field, ...(field.name === '@m' ? (fields.get('@mt') ?? []) : [])] };
  }
  return undefined;
}

/** Keys that are also usual in data; only their texts are messages. */
const looseMessageKeys = new Set(['log', 'event', 'body', 'data', 'textpayload']);

function messageOf({ name, value }: Field, fields: Fields): string | null {
  const plain = plainValue(value);
  if (!looseMessageKeys.has(name)) return textOf(value);
  if (name === 'log' && !fields.has('stream')) return null;
  if (name === 'data' && !fields.has('categoryname')) return null;
  if (typeof plain === 'string') return plain.replace(/\r?\n$/, '');
  if (Array.isArray(plain) && plain.length > 0) return plain.length === 1 && typeof plain[0] === 'string' ? plain[0] : textOf(value);
  // The body of an OpenTelemetry record.
  const [[kind, text] = [], ...others] = membersOf(value);
  return name === 'body' && kind === 'stringValue' && others.length === 0 ? textOf(text) : null;
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
  const level = findLevel(fields, levelOfMatch(levelFirst.exec(first)));
  const [time, message] = [findTime(fields), findMessage(fields)];
  const [stack] = fieldsNamed(fields, stackPaths);
  const [env] = fieldsNamed(fields, ['env', 'channel']);
  const [context] = fields.get('context') ?? [];
  const [extra] = context === undefined ? [] : (fields.get('extra') ?? []);
  const used = [...(level?.used ?? []), time, ...(message?.used ?? []), stack, env, context, extra];
  const ownStack = textOf(stack?.value);
  return {
    env: textOf(env?.value) ?? '',
    time: time?.value,
    header: message?.text ?? first,
    context: contextOf(context?.value, without(members, new Set(used.map((field) => field?.place)))),
    ...(isEmpty(extra?.value) ? {} : { extra: extra?.value }),
    stack: ownStack === null ? rest : rest === null ? ownStack : `${ownStack}\n${rest}`,
  };
}

/** The members apart from those at these places, and from objects of which nothing else remains. */
function without(members: Members, places: ReadonlySet<string | undefined>): Members {
  return members.flatMap(([key, value], at): Members => {
    if (places.has(`${at}`)) return [];
    const inner = membersOf(value);
    const others = inner.filter((_, innerAt) => !places.has(`${at}.${innerAt}`));
    if (others.length === inner.length) return [[key, value]];
    return others.length === 0 ? [] : [[key, objectOf(others, value)]];
  });
}

/** The context and the keys beside it, so that nothing is lost. */
function contextOf(context: unknown, others: Members): unknown {
  if (others.length === 0) return isEmpty(context) ? null : context;
  const members = membersOf(context);
  const own = members.length > 0 || isEmpty(context) ? members : [['context', context] as const];
  // Keeps a key that both have.
  return objectOf([...own, ...others], new JsonText('{}'));
}

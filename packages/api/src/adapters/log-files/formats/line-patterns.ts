import type { EntryLevel } from '@switchyard/contract/log-viewer';
import { bytesOf, withoutMarks, type LogFormat, type ParsedEntry } from './log-format.ts';
import { levelOfLetter, levelOfName, levelOfSyslog } from './log-levels.ts';
import { monthPattern } from './log-times.ts';

/** What a line means, by the names of the groups of its pattern. */
type Groups = Readonly<Record<string, string | undefined>>;
type PatternFormat = Pick<LogFormat, 'name' | 'starts'> & {
  /** Groups: `time`, `header`, and those that `level` and `context` read. `header` contains the text after the match if it is absent. */
  pattern: RegExp;
  level?: (groups: Groups) => EntryLevel | undefined;
  /** Groups that are shown as the context, apart from `-`. */
  context?: readonly string[];
  env?: string;
};

/** A format whose entries begin with a line that has a pattern. */
function patternFormat({ name, starts, pattern, level, context = [], env }: PatternFormat): LogFormat {
  const levelOf = (groups: Groups): EntryLevel => level?.(groups) ?? '';
  return {
    name,
    ...(starts && { starts }),
    keys: context,
    level({ head }) {
      const match = pattern.exec(head);
      return match === null ? null : levelOf(match.groups ?? {});
    },
    parse({ first, rest }): ParsedEntry | null {
      const match = pattern.exec(first);
      if (match === null) return null;
      const groups: Groups = match.groups ?? {};
      const members = context.flatMap((key) => {
        const value = groups[key];
        return value === undefined || value === '-' ? [] : [[key, value] as const];
      });
      return {
        env: (env === undefined ? undefined : groups[env]) ?? '',
        time: groups['time'],
        header: withoutMarks(`${groups['before'] ?? ''}${first.slice(match[0].length)}`).trim(),
        context: members.length === 0 ? null : Object.fromEntries(members),
        stack: rest,
      };
    },
  };
}

const isoTime = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;
const syslogTime = String.raw`${monthPattern} [ \d]\d \d\d:\d\d:\d\d`;
const isoOffset = String.raw`(?:Z|[+-]\d\d:?\d\d)`;
const level = ({ level: name = '' }: Groups) => levelOfName(name);
const priority = ({ priority: value }: Groups) => levelOfSyslog(Number(value));

/** nginx `combined`, and Apache `common`, `combined` and `vhost_combined`. The client and the request stay in the header. */
const accessLog = patternFormat({
  name: 'access',
  pattern: new RegExp(
    String.raw`^(?<before>[\w.:[][^"\0]{2,300}?)\[(?<time>\d\d/${monthPattern}/\d{4}:\d\d:\d\d:\d\d(?: [+-]\d{4})?)\] (?=")`,
  ),
});

/** RFC 5424. A byte order mark may precede the message. */
const syslog5424 = patternFormat({
  name: 'syslog-5424',
  pattern: new RegExp(
    String.raw`^<(?<priority>\d{1,3})>\d{1,2} (?<time>\S+) (?<host>\S+) (?<app>\S+) (?<process>\S+) (?<message_id>\S+) (?<data>-|(?:\[(?:[^\]"\\]|"(?:[^"\\]|\\.)*"|\\.)*\])+)(?: |$)`,
  ),
  level: priority,
  context: ['host', 'app', 'process', 'message_id', 'data'],
});

/** RFC 3164, whose times have no year and no zone; rsyslog also writes RFC 3339 times. */
const syslog3164 = patternFormat({
  name: 'syslog-3164',
  pattern: new RegExp(String.raw`^<(?<priority>\d{1,3})>(?<time>${syslogTime}|${isoTime}${isoOffset}) `),
  level: priority,
});

/** containerd and CRI-O. */
const cri = patternFormat({
  name: 'cri',
  pattern: new RegExp(String.raw`^(?<time>${isoTime}${isoOffset}) (?<stream>stdout|stderr) (?<tag>[FP](?::\w+)*)(?: |$)`),
  context: ['stream', 'tag'],
});

/** glog, and klog of Kubernetes, whose times have no year. */
const glog = patternFormat({
  name: 'glog',
  pattern: /^(?<letter>[IWEF])(?<time>(?:\d{8}|\d{4}) \d\d:\d\d:\d\d\.\d{1,9}) +(?<thread>\d+) (?<file>[^\s\]]+:\d+)\] ?/,
  level: ({ letter = '' }) => levelOfLetter(letter),
  context: ['thread', 'file'],
});

/** Redis and Valkey, whose signs stand for levels. */
const redis = patternFormat({
  name: 'redis',
  pattern: new RegExp(
    String.raw`^(?<process>\d{1,9}):(?<role>[XCSM]) (?<time>\d\d ${monthPattern} \d{4} \d\d:\d\d:\d\d\.\d{3}) (?<sign>[.*#-]) `,
  ),
  level: ({ sign = '' }) => redisLevels[sign],
  context: ['process', 'role'],
});
const redisLevels: Readonly<Record<string, EntryLevel>> = { '.': 'debug', '-': 'debug', '*': 'notice', '#': 'warning' };

/** Android, whose times have no year. */
const logcat = patternFormat({
  name: 'logcat',
  pattern: /^(?<time>\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}) +(?<process>\d+) +(?<thread>\d+) (?<letter>[VDIWEFA]) /,
  level: ({ letter = '' }) => levelOfLetter(letter),
  context: ['process', 'thread'],
});

/** `error_log` of PHP, also of its FPM, and debug.log of WordPress. */
const php = patternFormat({
  name: 'php',
  starts: bytesOf('['),
  pattern: new RegExp(
    String.raw`^\[(?<time>\d\d-${monthPattern}-\d{4} \d\d:\d\d:\d\d(?: [^\]]{1,40})?)\] (?:(?:PHP (?=[A-Z][a-z])|(?=[A-Z]{5,7}:))(?<level>[A-Z][A-Za-z]+(?: [a-z]+){0,2}): +|(?=(?<wordpress>WordPress database error))|)`,
  ),
  level: ({ level: name, wordpress }) => (wordpress === undefined ? levelOfName(name ?? '') : 'error'),
});

/** PostgreSQL with any `log_line_prefix` that begins with the time. Details follow as entries of their own. */
const postgresql = patternFormat({
  name: 'postgresql',
  starts: bytesOf('0123456789'),
  pattern: new RegExp(
    String.raw`^(?<time>${isoTime} [A-Z+\-\d][\w/+:-]{1,40}):? ?(?<before>[^"]{0,200}?)(?<level>DEBUG[1-5]?|INFO|NOTICE|WARNING|ERROR|LOG|FATAL|PANIC|DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION): {2}`,
  ),
  level,
});

/** `LEVEL:name:text` of Python, `level: text` of winston, `ERROR - 2026-11-20 10:11:12 --> text` of CodeIgniter. */
const levelFirst = patternFormat({
  name: 'level-first',
  pattern: new RegExp(
    String.raw`^(?=[A-Z]{3,9}\b|[a-z]{3,9}:)\[?(?<level>[A-Za-z]{3,9})(?::(?<logger>[\w.]{1,120}):|:\s+|\t|\s+(?:- )?(?=\[|\d{4}-))(?:\[?(?<time>${isoTime}(?: ?${isoOffset})?)\]?(?: -->| -)? ?)?`,
  ),
  level,
  env: 'logger',
});

/** Formats of one pattern. */
export const patternFormats = {
  /** Formats of which only whole files are. */
  certain: [cri, syslog5424, syslog3164, glog, redis, logcat, accessLog],
  /** Formats of single lines beside others. */
  mixed: [php, postgresql],
  levelFirst,
} as const;

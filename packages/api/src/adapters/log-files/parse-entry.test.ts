import { writeExactly } from '@switchyard/contract/exact-json';
import { entryLevels, logLevels } from '@switchyard/contract/log-viewer';
import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { arbitraryJsonText } from '../../../test/arbitrary-json-text.ts';
import { parseEntry } from './parse-entry.ts';
import { openLogFile } from './testing/log-file.ts';

const log = openLogFile();
afterAll(log.remove);

/** The entries that the viewer shows of a file of these lines, oldest first. */
async function entriesOf(...lines: string[]) {
  writeFileSync(log.path, `${lines.join('\n')}\n`);
  const { entries, counts, total } = await log.page({ limit: '200', secrets: '1' }, log.fresh());
  expect([counts.all, total]).toEqual([entries.length, entries.length]);
  return entries.toReversed().map(({ id: _id, truncated: _truncated, at: _at, ...entry }) => entry);
}

const at = '2026-11-20 10:11:12';
const none = { env: '', datetime: '', level: '', context: null, stack: null };

/** Any JSON as it may stand in a line. */
const oneLine = arbitraryJsonText.map(({ text, compact }) => ({ text: text.replaceAll(/[\r\n]/g, ' '), compact }));

describe('data of entries', () => {
  it('[DATA-001] [LOG-033] is kept to the letter: digits, order and repeated keys', () => {
    fc.assert(
      fc.property(oneLine, oneLine, ({ text, compact }, other) => {
        const written = ({ context, extra }: ReturnType<typeof parseEntry>) => [context, extra].map((part) => writeExactly(part));
        const pair = [`{"10":${compact},"2":1,"2":${other.compact}}`, `{"x":${other.compact}}`];
        expect(written(parseEntry(`[${at}] a.INFO: x {"10":${text},"2":1,"2":${other.text}} {"x":${other.text}}`))).toEqual(pair);
        const json = `{"time":"${at}","10":${text},"msg":"x","2":1,"2":${other.text}}`;
        expect(written(parseEntry(json))[0]).toBe(pair[0]);
        expect(written(parseEntry(`{"msg":"x","context":${pair[0]},"extra":{"x":${other.text}}}`))).toEqual(pair);
        expect(written(parseEntry(`{"err":{"stack":"s","10":${text}}}`))[0]).toBe(`{"err":{"10":${compact}}}`);
      }),
    );
  });
});

const namesOfJson =
  'level severity log.level priority time timestamp ts date created msg message @m body event env channel context extra stack exception err error log stream user'.split(
    ' ',
  );
const spelling = fc
  .tuple(fc.constantFrom(...namesOfJson), fc.constantFrom('', '', 'title', 'upper'))
  .map(([name, style]) => (style === '' ? name : style === 'upper' ? name.toUpperCase() : name.slice(0, 1).toUpperCase() + name.slice(1)));
/** Tokens that no other value has, or levels. */
const value: fc.Arbitrary<(token: string) => unknown> = fc.oneof(
  fc.constant((token: string) => token),
  fc.constant((token: string) => `2026-11-20T10:11:12.${token.slice(1)}Z`),
  fc.constantFrom('info', 'warning').map((name) => () => name),
  fc.constantFrom('level', 'stack', 'stacktrace', 'user', 'stringValue').map((key) => (token: string) => ({ [key]: token })),
  fc.constantFrom('info', 'warning').map((name) => (token: string) => ({ level: name, Stack: token, stack: `${token}+` })),
  fc.constant(() => null),
);

describe('members of JSON lines', () => {
  it('[LOG-033] [LOGX-004] are shown, all of them, in whatever case and however often their keys occur', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(spelling, value), { minLength: 1, maxLength: 9 }), fc.boolean(), async (members, hasMessage) => {
        const own = members.map(([key, valueOf], nth) => ({ key, text: JSON.stringify(valueOf(`v${101 + nth}`)) }));
        const written = hasMessage ? [...own, { key: 'msg', text: '"x"' }] : own;
        const [entry] = await entriesOf(`{${written.map(({ key, text }) => `"${key}":${text}`).join()}}`);
        const { level, ...parts } = entry ?? { level: '', datetime: '' };
        const shown = writeExactly(parts);
        const tokens = written.flatMap(({ text }) => text.match(/v\d+\+?/g) ?? []);
        expect([shown, tokens.filter((token) => !shown.includes(token))]).toEqual([shown, []]);
        const times = written.flatMap(({ text }) => text.match(/2026[^"]+/g) ?? []).filter((time) => !shown.includes(time));
        // One is shown in UTC.
        expect([shown, times.slice(parts.datetime === at ? 1 : 0)]).toEqual([shown, []]);
        const count = (text: string, name: string) => text.split(name).length - 1;
        for (const name of ['info', 'warning'].filter((one) => one !== level)) {
          const expected = written.reduce((sum, { text }) => sum + count(text, name), 0);
          expect([shown, name, count(shown, name) >= expected]).toEqual([shown, name, true]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [`"time":"${at}","Time":"10 ms","msg":"paid"`, { datetime: at, header: 'paid', context: { Time: '10 ms' } }],
    [`"time":"10 ms","Time":"${at}","msg":"paid"`, { datetime: at, header: 'paid', context: { time: '10 ms' } }],
    [`"message":"failed","Message":"SQL: deadlock"`, { header: 'failed', context: { Message: 'SQL: deadlock' } }],
    [`"Message":"SQL: deadlock","message":"failed"`, { header: 'failed', context: { Message: 'SQL: deadlock' } }],
    [`"msg":"first","msg":"second"`, { header: 'second', context: { msg: 'first' } }],
    [`"msg":"x","context":{"a":1},"context":{"b":1}`, { context: { b: 1, context: { a: 1 } } }],
    [`"msg":"x","env":"prod","channel":"billing"`, { env: 'prod', context: { channel: 'billing' } }],
    [`"msg":"x","extra":{"u":1},"context":{"a":1},"Extra":7`, { context: { a: 1, Extra: 7 }, extra: { u: 1 } }],
    [`"msg":"x","err":{"message":"e","stack":"S1"},"stack":"S2"`, { stack: 'S2', context: { err: { message: 'e', stack: 'S1' } } }],
    [`"level":"info","msg":"x","level":"error"`, { level: 'info', context: { level: 'error' } }],
    [`"msg":"x","level":"info","level":"error"`, { level: 'error', context: { level: 'info' } }],
    [`"msg":"x","severity":"info","Severity":"error"`, { level: 'info', context: { Severity: 'error' } }],
  ])('[LOGX-001] [LOG-033] count in lower case first, and the last of a repeated key: {%s}', async (members, expected) => {
    const [entry] = await entriesOf(`{${members}}`);
    expect({ ...entry, context: JSON.parse(writeExactly(entry?.context)) }).toMatchObject(expected);
  });
});

describe('entries of Monolog and Laravel', () => {
  it.each([
    ['{"user":7} {"url":"/api"}', { context: { user: 7 }, extra: { url: '/api' } }],
    ['{"user":7} []', { context: { user: 7 } }],
    ['[] {"url":"/api"}', { context: null, extra: { url: '/api' } }],
    ['[] []', { context: null }],
    ['{"user":7}', { context: { user: 7 } }],
    ['[1,2] {"url":"/api"}', { context: [1, 2], extra: { url: '/api' } }],
    ['{"text":"} {\\"a\\":1}"} {"b":"]"}', { context: { text: '} {"a":1}' }, extra: { b: ']' } }],
  ])('[O42] take the first object for the context and the second for the extra: %s', async (tail, expected) => {
    expect(await entriesOf(`[${at}] app.ERROR: Sent [3] to {one} ${tail}`)).toEqual([
      { env: 'app', level: 'error', datetime: at, header: 'Sent [3] to {one}', stack: null, ...expected },
    ]);
  });

  it.each(['Deleted [1,2]', 'Deleted {1,2}', 'It said {"a":1} twice', 'a { b', 'odd "quote {"a":1'])(
    '[O42] leave what is no context in the header: %s',
    async (header) => {
      expect(await entriesOf(`[${at}] app.INFO: ${header}`)).toMatchObject([{ header, context: null, stack: null }]);
    },
  );

  it('[O42] read an exception of Laravel as a context without its trace, and the trace as the stack', async () => {
    const lines = [
      `[${at}] production.ERROR: SQLSTATE[23000]: "x" {"userId":5,"exception":"[object] (Illuminate\\\\Database\\\\QueryException(code: 23000): SQLSTATE[23000]: \\"x\\" at /srv/app/vendor/Connection.php:829)`,
      '[stacktrace]',
      '#0 /srv/app/app/Send.php(12): App\\\\Send->go(\\"7\\")',
      '#1 {main}',
      '',
      '[previous exception] [object] (PDOException(code: 23000): SQLSTATE[23000] at /srv/app/vendor/Connection.php:571)',
      '[stacktrace]',
      '#0 {main}',
      '","attempt":2} {"url":"/api"} ',
      `[${at}] production.INFO: Next`,
    ];
    expect(await entriesOf(...lines)).toEqual([
      {
        env: 'production',
        level: 'error',
        datetime: at,
        header: 'SQLSTATE[23000]: "x"',
        context: {
          userId: 5,
          exception:
            '[object] (Illuminate\\Database\\QueryException(code: 23000): SQLSTATE[23000]: "x" at /srv/app/vendor/Connection.php:829)',
          attempt: 2,
        },
        extra: { url: '/api' },
        stack:
          '[stacktrace]\n#0 /srv/app/app/Send.php(12): App\\Send->go("7")\n#1 {main}\n\n[previous exception] [object] (PDOException(code: 23000): SQLSTATE[23000] at /srv/app/vendor/Connection.php:571)\n[stacktrace]\n#0 {main}',
      },
      { env: 'production', level: 'info', datetime: at, header: 'Next', context: null, stack: null },
    ]);
  });

  it('[O42] read an exception behind a message of many lines, and show a truncated one unchanged', async () => {
    const exception = '{"exception":"[object] (E(code: 0): x at /a.php:1)\n[stacktrace]\n#0 {main}\n';
    expect(await entriesOf(`[${at}] app.ERROR: select *\n  from x ${exception}"} `)).toMatchObject([
      {
        header: 'select *\n  from x',
        context: { exception: '[object] (E(code: 0): x at /a.php:1)' },
        stack: '[stacktrace]\n#0 {main}',
      },
    ]);
    expect(await entriesOf(`[${at}] app.ERROR: Cut ${exception}`)).toMatchObject([
      { header: 'Cut', context: null, stack: exception.trimEnd() },
    ]);
  });

  it('[O42] keep the extra of JSON that has a context, and count a line without a level under none', async () => {
    const [both, empty, bare] = await entriesOf(
      '{"message":"a","context":{"x":1},"level":400,"channel":"app","datetime":"2026-11-20T10:11:12Z","extra":{"url":"/"}}',
      '{"message":"b","context":[],"level_name":"INFO","extra":[]}',
      '{"msg":"c","time":"2026-11-20T10:11:12Z","extra":1}',
    );
    expect(both).toMatchObject({ level: 'error', context: { x: 1 }, extra: { url: '/' } });
    expect(empty).toEqual({ ...none, level: 'info', header: 'b' });
    expect(bare).toEqual({ ...none, header: 'c', datetime: at, context: { extra: 1 } });
  });
});

describe('entries of other writers', () => {
  it.each([
    [
      '2026/11/20 10:11:12 [error] 123#0: *1 open() "/srv/x" failed (2: No such file or directory), client: 203.0.113.9, server: a.example, request: "GET /x HTTP/1.1"',
      {
        level: 'error',
        datetime: at,
        header:
          '123#0: *1 open() "/srv/x" failed (2: No such file or directory), client: 203.0.113.9, server: a.example, request: "GET /x HTTP/1.1"',
      },
    ],
    ['2026/11/20 10:11:12 [emerg] 1#1: bind() failed', { level: 'emergency', datetime: at, header: '1#1: bind() failed' }],
    [
      '[Fri Nov 20 10:11:12.345678 2026] [core:error] [pid 9] Failed',
      { level: 'error', datetime: at, header: '[core:error] [pid 9] Failed' },
    ],
    ['[20-Nov-2026 10:11:12 UTC] PHP Warning:  Undefined', { level: 'warning', datetime: at, header: 'Undefined' }],
    ['2026-11-20 12:11:12,123+02:00 ERROR app.views: Failed', { level: 'error', datetime: at, header: 'app.views: Failed' }],
    ['2026-11-20 10:11:12.123 UTC [88] FATAL:  no role', { level: 'critical', datetime: at, header: '[88] no role' }],
    ['2026-11-20T10:11:12.5Z started', { level: '', datetime: at, header: 'started' }],
    ['Nov 20 10:11:12 web-1 sshd[8]: closed', { level: '', datetime: 'Nov 20 10:11:12', header: 'web-1 sshd[8]: closed' }],
    ['[warn] Disk is nearly full', { level: 'warning', datetime: '', header: 'Disk is nearly full' }],
    // zap, its encoder for consoles.
    [
      '2026-11-20T10:11:12.123Z\tWARN\tapp/main.go:42\tslow call\t{"ms": 5}',
      { level: 'warning', datetime: at, header: 'app/main.go:42\tslow call\t{"ms": 5}' },
    ],
    ['2026-11-20 13:11:12 PM INFO none', { level: 'info', datetime: '2026-11-20 13:11:12 PM', header: 'none' }],
    // A clock of twelve hours; whether day or month comes first is unknown, so the time stays as it is written.
    ['7/16/2026 11:46:59 AM-0600 ERROR: disk is full', { level: 'error', datetime: '7/16/2026 11:46:59 AM-0600', header: 'disk is full' }],
    ['Nov 20, 2026 10:11:12 AM com.example.Job run', { level: '', datetime: at, header: 'com.example.Job run' }],
    ['2026-11-20 12:11:12 PM INFO late', { level: 'info', datetime: '2026-11-20 12:11:12', header: 'late' }],
    ['Nov 20, 2026, 12:11:12 AM UTC [warn] night', { level: 'warning', datetime: '2026-11-20 00:11:12', header: 'night' }],
    // Ruby, Rust, NLog, Airflow, Sidekiq, FPM, MariaDB, zerolog, Squid.
    ['E, [2026-11-20T10:11:12.123456 #88] ERROR -- app: down', { level: 'error', datetime: at, env: '#88', header: 'app: down' }],
    ['[2026-11-20T10:11:12Z WARN  app::db] slow', { level: 'warning', datetime: at, env: 'app::db', header: 'slow' }],
    ['2026-11-20 10:11:12.1234|ERROR|App|down', { level: 'error', datetime: at, header: 'App|down' }],
    ['[2026-11-20, 10:11:12 UTC] {task.py:7} INFO - up', { level: 'info', datetime: at, env: '{task.py:7}', header: 'up' }],
    ['2026-11-20T10:11:12.123Z pid=1 tid=x WARN: slow', { level: 'warning', datetime: at, env: 'pid=1 tid=x', header: 'slow' }],
    ['[20-Nov-2026 10:11:12] WARNING: [pool www] slow', { level: 'warning', datetime: at, header: '[pool www] slow' }],
    ['2026-11-20  9:11:12 0 [ERROR] down', { level: 'error', datetime: '2026-11-20 09:11:12', header: '0 down' }],
    ['10:11AM ERR down code=5', { level: 'error', datetime: '10:11AM', header: 'down code=5' }],
    ['1795169472.123 20 203.0.113.9 TCP_MISS/200', { level: '', datetime: at, header: '20 203.0.113.9 TCP_MISS/200' }],
    ['{"t":{"$date":"2026-11-20T10:11:12Z"},"s":"W","msg":"slow"}', { level: 'warning', datetime: at, header: 'slow' }],
    ['7:M 20 Nov 2026 10:11:12.123 # memory', { level: 'warning', datetime: at, header: 'memory', context: { process: '7', role: 'M' } }],
    [
      '11-20 10:11:12.123  7  8 E Tag: down',
      { level: 'error', datetime: '11-20 10:11:12.123', header: 'Tag: down', context: { process: '7', thread: '8' } },
    ],
    ['[2026-11-20 10:11:12] custom text', { level: '', datetime: at, header: 'custom text' }],
  ])('[O42] begin with a time or a level: %s', async (line, expected) => {
    const followedLine = `${line}\n  at more`;
    expect(await entriesOf('[debug] before', followedLine, '[debug] after')).toEqual([
      { ...none, level: 'debug', header: 'before' },
      { ...none, ...expected, stack: '  at more' },
      { ...none, level: 'debug', header: 'after' },
    ]);
  });

  it('[LOGX-002] include requests of an access log beside another format, and times without an offset', async () => {
    const request = '203.0.113.9 - - [20/Nov/2026:10:11:12] "GET / HTTP/1.1" 200 5';
    const between = request.replace(':12]', ':12 +0200]');
    const lines = ['time=2026-11-20T10:11:12Z level=info msg=up', between, 'time=2026-11-20T10:11:13Z level=error msg=down'];
    expect((await entriesOf(...lines)).map(({ level, datetime }) => [level, datetime])).toEqual([
      ['info', at],
      ['', '2026-11-20 08:11:12'],
      ['error', '2026-11-20 10:11:13'],
    ]);
    expect(await entriesOf(request, request)).toEqual(
      [request, request].map(() => ({ ...none, datetime: at, header: '203.0.113.9 - - "GET / HTTP/1.1" 200 5' })),
    );
    // The console of .NET.
    expect(await entriesOf('info: App[0]', '      up', 'fail: App[0]', '      down')).toEqual([
      { ...none, level: 'info', header: 'App[0]', stack: '      up' },
      { ...none, level: 'error', header: 'App[0]', stack: '      down' },
    ]);
    // As zap prints them without a time.
    expect((await entriesOf('INFO\tup', 'ERROR\tdown\t{"a": 1}')).map(({ level, header }) => [level, header])).toEqual([
      ['info', 'up'],
      ['error', 'down\t{"a": 1}'],
    ]);
  });

  it('[LOGX-001] show a time in UTC if its offset exists, and as it is written otherwise', () => {
    const zone = fc.record({
      name: fc.constantFrom('', 'GMT', 'UTC'),
      sign: fc.constantFrom('+', '-'),
      separator: fc.constantFrom(':', ''),
    });
    fc.assert(
      fc.property(zone, fc.nat(99), fc.option(fc.nat(99)), ({ name, sign, separator }, hours, minutes) => {
        const digits = [hours, ...(minutes === null ? [] : [minutes])].map((part) => String(part).padStart(2, '0'));
        const written = `${at} ${name}${sign}${digits.join(separator)}`;
        const instant = Date.parse(`${at}Z`) - Number(`${sign}1`) * (hours * 60 + (minutes ?? 0)) * 60_000;
        const exists = hours <= 23 && (minutes ?? 0) <= 59;
        const shown = exists ? new Date(instant).toISOString().slice(0, 19).replace('T', ' ') : written;
        expect(parseEntry(JSON.stringify({ time: written, msg: 'x' })).datetime).toBe(shown);
        if (name === '') expect(parseEntry(`[${written}] app.ERROR: x`).datetime).toBe(shown);
      }),
      { numRuns: 1000 },
    );
  });

  it('[O42] count under no level where they have none, and under `all`', async () => {
    writeFileSync(log.path, `text of nobody\n${at} started\n[error] failed\n`);
    const { counts, entries } = await log.page({}, log.fresh());
    expect(counts).toEqual({ all: 3, emergency: 0, alert: 0, critical: 0, error: 1, warning: 0, notice: 0, info: 0, debug: 0 });
    expect(entries.map(({ level, header }) => [level, header])).toEqual([
      ['error', 'failed'],
      ['', 'started'],
      ['', 'text of nobody'],
    ]);
  });

  it('[O42] include lines that only look like starts', async () => {
    const continuedLines = ['[internal function]: x', '#0 a', '2026-13', 'Nov was cold', '[main] x', '1.2.3', '{}', '', '} else {'];
    expect(await entriesOf(`${at} [error] first`, ...continuedLines)).toMatchObject([
      { header: 'first', stack: continuedLines.join('\n') },
    ]);
  });
});

const word = fc.stringMatching(/^[A-Za-z0-9.,:'"!?/\\äж😀(){}[\]<>-]{1,12}$/u);
/** Text that is no context. */
const message = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => `${words.join(' ')} .`);
const fields = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,8}$/),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string(), { maxLength: 3 })),
  { minKeys: 1, maxKeys: 4 },
);
const levels = fc.constantFrom(...logLevels);
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));
const base = { level: levels, datetime: time, header: message };

type WrittenEntry = { text: string; entry: object };

const monolog: fc.Arbitrary<WrittenEntry> = fc
  .record({ ...base, context: fc.option(fields), extra: fc.option(fields) })
  .map(({ level, datetime, header, context, extra }) => ({
    text: `[${datetime}] app.${level.toUpperCase()}: ${header} ${JSON.stringify(context ?? [])} ${JSON.stringify(extra ?? [])}`,
    entry: { env: 'app', level, datetime, header, context, stack: null, ...(extra ? { extra } : {}) },
  }));
const laravel: fc.Arbitrary<WrittenEntry> = fc
  .record({ ...base, frames: fc.array(word, { minLength: 1, maxLength: 4 }), more: fields })
  .map(({ level, datetime, header, frames, more }) => {
    const trace = `[stacktrace]\n${frames.map((frame, depth) => `#${depth} ${frame}`).join('\n')}\n#${frames.length} {main}`;
    const exception = `[object] (E(code: 0): ${header} at /srv/a.php:1)`;
    const context = JSON.stringify({ exception: `${exception}\n${trace}\n` });
    // As Laravel does, which writes a literal backslash and n.
    const spreadText = context.replaceAll(/(?<!\\)\\n/g, '\n');
    return {
      text: `[${datetime}] local.${level.toUpperCase()}: ${header} ${spreadText} ${JSON.stringify(more)}`,
      entry: { env: 'local', level, datetime, header, context: { exception }, extra: more, stack: trace },
    };
  });
const json: fc.Arbitrary<WrittenEntry> = fc.record({ ...base, context: fields }).map(({ level, datetime, header, context }) => ({
  text: JSON.stringify({ level, time: `${datetime.replace(' ', 'T')}Z`, env: 'worker', context, msg: header }),
  entry: { env: 'worker', level, datetime, header, context, stack: null },
}));
const nginx: fc.Arbitrary<WrittenEntry> = fc.record({ ...base, pid: fc.nat(9_999) }).map(({ level, datetime, header, pid }) => ({
  text: `${datetime.replaceAll('-', '/')} [${level}] ${pid}#0: *1 ${header}`,
  entry: { env: '', level, datetime, header: `${pid}#0: *1 ${header}`, context: null, stack: null },
}));

describe('a file of mixed writers', () => {
  it('[O42] is read back as it was written, with counts that add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(monolog, laravel, json, nginx), { minLength: 1, maxLength: 12 }), async (entries) => {
        expect(await entriesOf(...entries.map(({ text }) => text))).toEqual(entries.map(({ entry }) => entry));
      }),
      { numRuns: 300 },
    );
  });

  it.each(['{"" .', '{"0 .', '{"": 7 .', '{"": .'])('[LOGX-004] is read although a message begins like a context: %s', async (header) => {
    const quoted = JSON.stringify(header).slice(1, -1);
    const lines = [
      `[${at}] local.ERROR: ${header} {"exception":"[object] (E: ${quoted})\n[stacktrace]\n#0 {main}\n"} {"a":0}`,
      '2026/11/20 10:11:12 [error] 1#0: *1 }? "]A .',
    ];
    expect((await entriesOf(...lines)).map((entry) => [entry.header, entry.stack])).toEqual([
      [header, '[stacktrace]\n#0 {main}'],
      ['1#0: *1 }? "]A .', null],
    ]);
  });

  it('[O42] is read whatever its lines hold, every one of them in one entry', async () => {
    const starts = [
      at,
      `[${at}]`,
      '[error]',
      `[${at}] a.INFO:`,
      '{"level":30,"time":1',
      'Nov 20 10:11:12',
      '[stacktrace]',
      ' {"a":1} [',
      '"',
    ];
    const line = fc
      .tuple(fc.constantFrom(...starts), fc.string({ unit: 'binary' }))
      .map((parts) => parts.join('').replaceAll(/[\r\n\0]/g, ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 15 }), async (lines) => {
        writeFileSync(log.path, lines.join('\n'));
        const { counts, entries, total } = await log.page({ limit: '200', secrets: '1' }, log.fresh());
        const byLevel = entryLevels.map((level) => entries.filter((entry) => entry.level === level).length);
        expect(byLevel.slice(0, -1)).toEqual(logLevels.map((level) => counts[level]));
        expect([entries.length, counts.all]).toEqual([total, total]);
      }),
      { numRuns: 500 },
    );
  });
});

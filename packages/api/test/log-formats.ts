/** An entry as the viewers show it: level, time, header, and members of the context or of the extra as JSON text. */
export type ShownEntry = readonly [level: string, datetime: string, header: string, ...members: string[]];

/** Text of a log, or its bytes, and the entries that both viewers show of it, oldest first. */
type FormatSample = { format: string; text: string | Buffer; entries: readonly ShownEntry[] };

const at = (second: number) => `2026-11-20 10:00:0${second}`;
const lines = (...all: string[]) => `${all.join('\n')}\n`;
const monologTime = (date: string, zone: string) =>
  `"datetime":{"date":"${date}","timezone_type":${zone.includes('/') ? 3 : /\d/.test(zone) ? 1 : 2},"timezone":"${zone}"}`;
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isLittle ? bytes : bytes.swap16();
};

/** Samples of the formats of docs/log-formats.md, written from the documentation of each writer. */
export const formatSamples: Readonly<Record<string, FormatSample>> = {
  'Monolog 1 and 2, JSON': {
    format: 'json',
    text: lines(
      `{"message":"winter","context":{"price":41.50},"level":200,${monologTime('2026-11-20 11:00:00.000000', 'Europe/Berlin')},"extra":{}}`,
      `{${monologTime('2026-07-20 11:00:01.000000', 'Europe/Berlin')},"message":"summer","context":{},"level_name":"WARNING","extra":{"a":1}}`,
      `{"message":"offset","level":400,${monologTime('2026-11-20 04:30:02.500000', '-05:30')}}`,
      `{"message":"unknown","level":250,${monologTime('2026-11-20 10:00:03.000000', 'AEDT')}}`,
    ),
    entries: [
      ['info', at(0), 'winter', '"price":41.50'],
      ['warning', '2026-07-20 09:00:01', 'summer', '"a":1'],
      ['error', at(2), 'offset'],
      ['notice', '2026-11-20 10:00:03.000000 AEDT', 'unknown'],
    ],
  },
  'numbers as times': {
    format: 'json',
    text: lines(
      '{"level":50,"time":1795168800,"pid":7,"msg":"seconds"}',
      '{"msg":"milliseconds","pid":7,"time":1795168801999,"level":30}',
      '{"level":40,"ts":1795168802.75,"msg":"fraction"}',
      '{"level":20,"time":"1795168803123456","msg":"microseconds"}',
      '{"level":10,"timestamp":1795168804999999999,"msg":"nanoseconds"}',
      '{"level":30,"time":1e400,"msg":"beyond"}',
    ),
    entries: [
      ['error', at(0), 'seconds', '"pid":7'],
      ['info', at(1), 'milliseconds'],
      ['warning', at(2), 'fraction'],
      ['debug', at(3), 'microseconds'],
      ['debug', at(4), 'nanoseconds'],
      ['info', '1e400', 'beyond'],
    ],
  },
  'dates of Monolog': {
    format: 'monolog',
    text: lines(
      '[2026-11-20 05:00:00 America/New_York] a.INFO: zone',
      '[20.11.2026 10:00:01] a.ERROR: dots',
      '[20/Nov/2026 10:00:02] a.WARNING: slashes',
      '[2026-04-31 10:00:03] a.INFO: no such day',
      '[2026-11-20T11:00:04.123456+01:00] a.DEBUG: offset',
      '[2026-11-20 10:00:05 IST] a.CHECKOUT: of several zones, and a level of its own',
    ),
    entries: [
      ['info', at(0), 'zone'],
      ['error', at(1), 'dots'],
      ['warning', at(2), 'slashes'],
      ['info', '2026-04-31 10:00:03', 'no such day'],
      ['debug', at(4), 'offset'],
      ['', '2026-11-20 10:00:05 IST', 'of several zones, and a level of its own'],
    ],
  },
  'channels of Monolog': {
    format: 'monolog',
    text: lines(
      `[${at(0)}] mail queue.ERROR: space`,
      `[${at(1)}] queue:a.b.WARNING: colon`,
      `[${at(2)}] [x].CRITICAL: brackets`,
      `[${at(3)}] ${'long-'.repeat(30)}.INFO: 150 characters`,
    ),
    entries: [
      ['error', at(0), 'space'],
      ['warning', at(1), 'colon'],
      ['critical', at(2), 'brackets'],
      ['info', at(3), '150 characters'],
    ],
  },
  'texts of several lines in Monolog': {
    format: 'monolog',
    text: lines(
      `[${at(0)}] a.INFO: Query\nselect 1 {"id":7} `,
      `[${at(1)}] a.ERROR: Mail {"to":"x","body":"Dear {you},\n2026-11-20 09:00:00 is the time.\n[${at(9)}] a.ERROR: quoted\n[error] too {\\"a\\":1}\nBye","try":2} []`,
      `[${at(2)}] a.ERROR: Killed {"body":"never`,
      `[${at(3)}] a.INFO: after {"b":1}`,
    ),
    entries: [
      ['info', at(0), 'Query\nselect 1', '"id":7'],
      ['error', at(1), 'Mail', '"to":"x"', '"try":2', String.raw`[error] too {\"a\":1}\nBye`],
      ['error', at(2), 'Killed {"body":"never'],
      ['info', at(3), 'after', '"b":1'],
    ],
  },
  'Logstash and Google Cloud of Monolog': {
    format: 'json',
    text: lines(
      '{"@timestamp":"2026-11-20T11:00:00.1+01:00","@version":1,"message":"stored","channel":"orders","level":"ALERT","context":{"id":7},"extra":{"uid":"b"}}',
      '{"message":"lost","context":{"id":8},"severity":"EMERGENCY","time":"2026-11-20T10:00:01.123+00:00"}',
    ),
    entries: [
      ['alert', at(0), 'stored', '"id":7', '"@version":1', '"uid":"b"'],
      ['emergency', at(1), 'lost', '"id":8'],
    ],
  },
  'JSON of other libraries': {
    format: 'json',
    text: lines(
      '{"message":"winston","level":"silly","timestamp":"2026-11-20T10:00:00.000Z"}',
      '{"level":"info","ts":1795168801.5,"caller":"a.go:1","msg":"zap","stacktrace":"a.Run\\n\\ta.go:1"}',
      '{"@t":"2026-11-20T10:00:02.1Z","@mt":"Serilog {User}","User":"Ines"}',
      '{"@t":"2026-11-20T10:00:03.1Z","@m":"Serilog","@mt":"S","@l":"Fatal","@x":"E: x\\n at y"}',
      '{"asctime":"2026-11-20 10:00:04,123","levelno":50,"name":"py","message":"Python"}',
      '{"log":{"level":"warn","logger":"a"},"@timestamp":"2026-11-20T10:00:05Z","message":"ECS"}',
      '{"__REALTIME_TIMESTAMP":"1795168806123456","PRIORITY":"4","_PID":"71","MESSAGE":"journal"}',
      '{"log":"docker\\n","stream":"stderr","time":"2026-11-20T10:00:07.1Z"}',
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1795168808123456789","severityNumber":13,"body":{"stringValue":"OTLP"}}]}]}]}',
      '{"startTime":"2026-11-20T10:00:09.000Z","categoryName":"a","data":["log4js"],"level":{"level":50000,"levelStr":"FATAL"}}',
      '{"instant":{"epochSecond":1795168800,"nanoOfSecond":5},"level":"WARN","message":"Log4j"}',
      '{"shop":"north","items":3}',
      '{"level":"checkout","msg":"a level of nobody"}',
    ),
    entries: [
      ['debug', at(0), 'winston'],
      ['info', at(1), 'zap', '"caller":"a.go:1"'],
      ['info', at(2), 'Serilog {User}', '"User":"Ines"'],
      ['critical', at(3), 'Serilog'],
      ['critical', at(4), 'Python', '"name":"py"'],
      ['warning', at(5), 'ECS', '"logger":"a"'],
      ['warning', at(6), 'journal', '"_PID":"71"'],
      ['', at(7), 'docker', '"stream":"stderr"'],
      ['warning', at(8), 'OTLP'],
      ['critical', at(9), 'log4js', '"categoryName":"a"'],
      ['warning', at(0), 'Log4j'],
      ['', '', '{"shop":"north","items":3}', '"shop":"north"'],
      ['', '', 'a level of nobody', '"level":"checkout"'],
    ],
  },
  logfmt: {
    format: 'logfmt',
    text: lines(
      'time="2026-11-20T10:00:00Z" level=info msg="worker started" workers=4',
      String.raw`msg="failed: \"late\"" id=9007199254740993 lvl=ERROR+1 ts=2026-11-20T11:00:01+01:00`,
    ),
    entries: [
      ['info', at(0), 'worker started', '"workers":4'],
      ['error', at(1), 'failed: "late"', '"id":9007199254740993'],
    ],
  },
  'access logs': {
    format: 'access',
    text: lines(
      '192.0.2.14 - - [20/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512 "-" "A/1.0"',
      'shop.example:443 2001:db8::7 - ines [20/Nov/2026:12:00:01 +0200] "GET /needle HTTP/2.0" 404 0',
    ),
    entries: [
      ['', at(0), '192.0.2.14 - - "GET / HTTP/1.1" 200 512 "-" "A/1.0"'],
      ['', at(1), 'shop.example:443 2001:db8::7 - ines "GET /needle HTTP/2.0" 404 0'],
    ],
  },
  'syslog of RFC 5424': {
    format: 'syslog-5424',
    text: lines(
      '<165>1 2026-11-20T10:00:00.003Z edge shop 71 ID47 - order stored',
      '<11>1 2026-11-20T12:00:01.000000+02:00 edge shop - - [a@1 id="7\\]8"][b@2] \uFEFForder lost',
    ),
    entries: [
      ['notice', at(0), 'order stored', '"host":"edge"', '"process":"71"'],
      ['error', at(1), 'order lost', '"app":"shop"'],
    ],
  },
  'syslog of RFC 3164': {
    format: 'syslog-3164',
    text: lines('<34>Nov 20 10:00:00 edge su: failed', '<30>Nov  1 10:00:01 edge cron[8]: started'),
    entries: [
      ['critical', 'Nov 20 10:00:00', 'edge su: failed'],
      ['info', 'Nov  1 10:00:01', 'edge cron[8]: started'],
    ],
  },
  containers: {
    format: 'cri',
    text: lines('2026-11-20T10:00:00.123456789Z stdout F started', '2026-11-20T11:00:01.1+01:00 stderr P failed'),
    entries: [
      ['', at(0), 'started', '"stream":"stdout"'],
      ['', at(1), 'failed', '"stream":"stderr"'],
    ],
  },
  glog: {
    format: 'glog',
    text: lines('W20261120 10:00:00.123456 71 worker.cc:40] queue is long', 'F1120 10:00:01.123456    71 worker.go:50] year unknown'),
    entries: [
      ['warning', at(0), 'queue is long', '"file":"worker.cc:40"'],
      ['critical', '1120 10:00:01.123456', 'year unknown'],
    ],
  },
  PHP: {
    format: 'php',
    text: lines(
      '[20-Nov-2026 10:00:00 UTC] PHP Warning:  Undefined variable',
      '[20-Nov-2026 11:00:01 Europe/Berlin] PHP Fatal error:  Uncaught E\nStack trace:\n#0 {main}',
      '[20-Nov-2026 10:00:02 UTC] PHP Recoverable fatal error:  type',
      '[20-Nov-2026 10:00:03 UTC] PHP Deprecated:  old',
      '[20-Nov-2026 10:00:04 UTC] WordPress database error Table is gone',
    ),
    entries: [
      ['warning', at(0), 'Undefined variable'],
      ['critical', at(1), 'Uncaught E'],
      ['error', at(2), 'type'],
      ['notice', at(3), 'old'],
      ['error', at(4), 'WordPress database error Table is gone'],
    ],
  },
  PostgreSQL: {
    format: 'postgresql',
    text: lines(
      '2026-11-20 10:00:00.837 UTC [42] LOG:  checkpoint starting',
      '2026-11-20 12:00:01.002 EET [42] user=a,db=b ERROR:  relation "orders" does not exist',
      '2026-11-20 12:00:01.002 EET [42] STATEMENT:  select 1',
      '2026-11-20 10:00:03.240 MSK [43] PANIC:  no space',
    ),
    entries: [
      ['info', at(0), '[42] checkpoint starting'],
      ['error', at(1), '[42] user=a,db=b relation "orders" does not exist'],
      ['', at(1), '[42] select 1'],
      ['critical', '2026-11-20 10:00:03.240 MSK', '[43] no space'],
    ],
  },
  W3C: {
    format: 'w3c',
    text: lines(
      '#Software: IIS',
      '#Fields: date time c-ip cs(User-Agent) sc-status',
      '2026-11-20 10:00:00 192.0.2.14 A/1.0 200',
      '#Date: 2026-11-20 10:00:00',
      '2026-11-20 10:00:01 192.0.2.15 - 500',
    ),
    entries: [
      ['', at(0), '2026-11-20 10:00:00 192.0.2.14 A/1.0 200', '"c-ip":"192.0.2.14"', '"sc-status":200'],
      ['', at(1), '2026-11-20 10:00:01 192.0.2.15 - 500', '"sc-status":500'],
    ],
  },
  'times and levels': {
    format: 'text',
    text: lines(
      '2026-11-20T10:00:00.835618Z 0 [System] [MY-010116] [Server] mysqld starting',
      '2026-11-20 10:00:01,123 - shop.mail - ERROR - refused\nTraceback:\n  File "a.py"',
      '2026-11-20 12:00:02.123 +02:00 [WRN] Careful',
      '2026-11-20T10:00:03.123Z  INFO 71 --- [main] c.e.App : started',
      '2026-11-20 10:00:04,123 [main] FATAL com.x - died',
      '2026-11-20 10:00:05, Error                 CBS    Package refused',
      '2026-11-20 10:00:06.123 | SUCCESS  | app:run:1 - loguru',
      '[2026-11-20 10:00:07,123: WARNING/MainProcess] celery',
      '[2026-11-20 10:00:08 +0000] [71] [INFO] gunicorn',
      '[Fri Nov 20 10:00:09.123456 2026] [core:crit] [pid 9] Apache',
    ),
    entries: [
      ['info', at(0), '0 [MY-010116] [Server] mysqld starting'],
      ['error', at(1), 'refused'],
      ['warning', at(2), 'Careful'],
      ['info', at(3), '71 --- [main] c.e.App : started'],
      ['critical', at(4), '[main] com.x - died'],
      ['error', at(5), 'CBS    Package refused'],
      ['info', at(6), 'app:run:1 - loguru'],
      ['warning', at(7), 'celery'],
      ['info', at(8), '[71] gunicorn'],
      ['critical', at(9), '[core:crit] [pid 9] Apache'],
    ],
  },
  'levels first': {
    format: 'level-first',
    text: lines('WARNING:root:low', 'ERROR:shop.mail:refused\n  more', `CRITICAL - ${at(2)} --> gone`, 'info: winston'),
    entries: [
      ['warning', '', 'low'],
      ['error', '', 'refused'],
      ['critical', at(2), 'gone'],
      ['info', '', 'winston'],
    ],
  },
  'lines without a format': {
    format: 'lines',
    text: lines('081109 203615 148 first', '', '081109 203616 149 needle'),
    entries: [
      ['', '', '081109 203615 148 first'],
      ['', '', '081109 203616 149 needle'],
    ],
  },
  'a byte order mark': {
    format: 'json',
    text: `\uFEFF{"level":"error","time":"2026-11-20T10:00:00Z","msg":"first"}\n{"level":"info","msg":"second"}\n`,
    entries: [
      ['error', at(0), 'first'],
      ['info', '', 'second'],
    ],
  },
  'UTF-16, little-endian': {
    format: 'monolog',
    text: utf16(`[${at(0)}] a.ERROR: Köln 😀 verloren\r\n[${at(1)}] a.INFO: zweite\r\n`, true),
    entries: [
      ['error', at(0), 'Köln 😀 verloren'],
      ['info', at(1), 'zweite'],
    ],
  },
  'UTF-16, big-endian': {
    format: 'json',
    text: utf16(`{"level":50,"msg":"Köln 😀"}\n{"level":30,"msg":"two"}\n`, false),
    entries: [
      ['error', '', 'Köln 😀'],
      ['info', '', 'two'],
    ],
  },
  colours: {
    format: 'monolog',
    text: lines(
      `\u001B[31m[${at(0)}]\u001B[0m a.ERROR: coloured time`,
      `[${at(1)}] a.\u001B[1;33mWARNING\u001B[0m: coloured level`,
      `[${at(2)}] a.INFO: a \u001B[38;5;9mcoloured\u001B[0m word`,
    ),
    entries: [
      ['error', at(0), 'coloured time'],
      ['warning', at(1), 'coloured level'],
      ['info', at(2), 'a coloured word'],
    ],
  },
  'NUL in words': {
    format: 'monolog',
    text: lines(`[${at(0)}] a.ERR\0OR: order4\u00002 is lost`, `[${at(1)}] a.INFO: second`),
    entries: [
      ['error', at(0), 'order42 is lost'],
      ['info', at(1), 'second'],
    ],
  },
};

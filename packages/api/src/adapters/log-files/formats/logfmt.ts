import { exactJson, JsonText } from '@switchyard/contract/exact-json';
import { objectOf, type Members } from '../entry-values.ts';
import type { LogFormat } from './log-format.ts';
import { levelOfName } from './log-levels.ts';

const pairStart = /^[A-Za-z_@][\w.@/-]{0,100}=/;
const pair = /([^\s="]+)(?:=(?:"((?:[^"\\]|\\.)*)"|(\S*)))?(?:\s+|$)/gy;
const levelPair = /(?:^|\s)(?:level|lvl|severity|log\.level|loglevel)="?([\w+-]{1,20})/i;
const levelKeys = new Set(['level', 'lvl', 'severity', 'log.level', 'loglevel']);
const timeKeys = new Set(['time', 'ts', 't', 'timestamp', '@timestamp', 'datetime']);
const messageKeys = new Set(['msg', 'message']);
/** A line that has none of these keys may be a text with an equals sign. */
const namedPair = /(?:^|\s)(?:level|lvl|severity|msg|message|time|ts|t|timestamp|@timestamp)=/i;

/** logfmt, as logrus, slog and go-kit write it. */
export const logfmt: LogFormat = {
  name: 'logfmt',
  level(line) {
    return pairStart.test(line.head) ? (levelOfName(levelPair.exec(line.whole())?.[1] ?? '') ?? '') : null;
  },
  parse({ first, rest }) {
    if (!pairStart.test(first)) return null;
    const pairs = pairsOf(first);
    const known = (keys: ReadonlySet<string>) => pairs.find(({ key }) => keys.has(key.toLowerCase()));
    const [level, time, message] = [known(levelKeys), known(timeKeys), known(messageKeys)];
    const shown = pairs.filter((own) => own !== time && own !== message && (own !== level || levelOfName(own.text) === undefined));
    const members: Members = shown.map(({ key, text }) => [key, scalarOf(text)] as const);
    return {
      env: '',
      time: time?.text,
      header: message?.text ?? first,
      context: members.length === 0 ? null : objectOf(members, new JsonText('{}')),
      stack: rest,
    };
  },
};

/** Whether a line is certainly of this format. */
export function isLogfmt(line: string): boolean {
  return pairStart.test(line) && namedPair.test(line) && pairsOf(line).length > 1;
}

function pairsOf(line: string): { key: string; text: string }[] {
  return [...line.matchAll(pair)].map(([, key = '', quoted, bare = '']) => ({
    key,
    text: quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign),
  }));
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number as it is written, and any other value as text. */
export function scalarOf(text: string): unknown {
  return jsonNumber.test(text) ? exactJson(text) : text;
}

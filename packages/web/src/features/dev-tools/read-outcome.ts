import { jsonMembers, writeExactly } from '@switchyard/contract/exact-json';
import { z } from 'zod';
import { answerLimit, hostTimeout, type SendOutcome } from './query-frame/frame-messages.ts';

const withData = z.object({ data: z.string().min(1) });
const withMessage = z.object({ message: z.string().min(1) });

type Sender = {
  domain: string;
  /** The console origin that hosts allow, and the origin of this page. */
  consoleOrigin: string;
  ownOrigin: string;
};

type ReadOutcome = { readonly encodedText: string } | { readonly message: string };

/** The encoded text of the answer, or a message why there is none. */
export function readOutcome(outcome: SendOutcome, sender: Sender): ReadOutcome {
  return outcome.kind === 'answer' ? readAnswer(outcome, sender.domain) : { message: reasons[outcome.kind](sender) };
}

const reasons = {
  redirect: ({ domain }) => `${domain} answers with a redirect, which is not followed`,
  timeout: ({ domain }) => `${domain} did not answer within ${hostTimeout / 1000} seconds`,
  'too-large': ({ domain }) => `${domain} answers with more than ${answerLimit.toLocaleString('en')} characters`,
  unreachable({ domain, consoleOrigin, ownOrigin }) {
    const why =
      consoleOrigin === ownOrigin ? '' : `: hosts answer the console at ${consoleOrigin} only, and this page is open at ${ownOrigin}`;
    return `${domain} cannot be reached, or does not let the console read its answer${why}`;
  },
} satisfies Record<Exclude<SendOutcome['kind'], 'answer'>, (sender: Sender) => string>;

function readAnswer({ status, type, text }: Extract<SendOutcome, { kind: 'answer' }>, domain: string): ReadOutcome {
  const body = parse(text);
  const data = withData.safeParse(body).data?.data;
  if (status < 300 && data !== undefined) return { encodedText: data };
  const message = withMessage.safeParse(body).data?.message;
  if (message !== undefined) return { message: `${domain} answered with status ${status}: ${message}` };
  const what = type === '' ? 'an answer without a type' : type.split(';', 1).join('');
  return { message: `${domain} answered with status ${status} and ${what}, not with an encoded string` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A decoded value as lines `key: value`. Texts stay as they are, other values are compact JSON as it was encoded. The keys of a list are
 * its positions; a scalar is one line without a key.
 */
export function decodedLines(value: unknown): string {
  const json = writeExactly(value);
  const members = jsonMembers(json)?.list ?? [];
  if (members.length === 0) return inLine(json);
  return members.map(({ key, text }, index) => `${key ?? index}: ${inLine(text)}`).join('\n');
}

function inLine(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

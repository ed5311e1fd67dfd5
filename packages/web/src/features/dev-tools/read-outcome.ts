import { z } from 'zod';
import { answerLimit, hostPatience, type SendOutcome } from './query-frame/frame-messages.ts';

const withData = z.object({ data: z.string().min(1) });
const withMessage = z.object({ message: z.string().min(1) });

type Sender = {
  domain: string;
  /** The origin that hosts let read their answers, and that of this page. */
  consoleOrigin: string;
  ownOrigin: string;
};

type Read = { readonly encoded: string } | { readonly message: string };

/** The encoded string that a host answered with, or in words why there is none (DEV-008, DEV-020). */
export function readOutcome(outcome: SendOutcome, sender: Sender): Read {
  return outcome.kind === 'answer' ? readAnswer(outcome, sender.domain) : { message: reasons[outcome.kind](sender) };
}

const reasons = {
  redirect: ({ domain }) => `${domain} answers with a redirect, which is not followed`,
  timeout: ({ domain }) => `${domain} did not answer within ${hostPatience / 1000} seconds`,
  'too-large': ({ domain }) => `${domain} answers with more than ${answerLimit.toLocaleString('en')} characters`,
  unreachable({ domain, consoleOrigin, ownOrigin }) {
    const why =
      consoleOrigin === ownOrigin ? '' : `: hosts answer the console at ${consoleOrigin} only, and this page is open at ${ownOrigin}`;
    return `${domain} cannot be reached, or does not let the console read its answer${why}`;
  },
} satisfies Record<Exclude<SendOutcome['kind'], 'answer'>, (sender: Sender) => string>;

function readAnswer({ status, type, text }: Extract<SendOutcome, { kind: 'answer' }>, domain: string): Read {
  const body = parsed(text);
  const data = withData.safeParse(body).data?.data;
  if (status < 300 && data !== undefined) return { encoded: data };
  const message = withMessage.safeParse(body).data?.message;
  if (message !== undefined) return { message: `${domain} answered with status ${status}: ${message}` };
  const what = type === '' ? 'an answer without a type' : type.split(';', 1).join('');
  return { message: `${domain} answered with status ${status} and ${what}, not with an encoded string` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

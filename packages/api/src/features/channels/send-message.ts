import { channelMessages } from '@switchyard/contract/channels';
import { z } from 'zod';
import { describeExchangeError, printable } from '../../adapters/exchange-text.ts';
import { MailRejected, type Mailer } from '../../adapters/mailer.ts';
import { RejectedAddress, type PinnedPost, type PostAnswer } from '../../adapters/pinned-post.ts';
import { signWebhook } from '../../adapters/webhook-signature.ts';
import type { MailNames } from '../../mails/write-mail.ts';
import type { Destination, MessageToSend, MessageItem, Send, SendResult } from './message-to-send.ts';
import { writeChannelMail } from './write-channel-mail.ts';
import { writeChatText } from './write-chat-text.ts';

export type SendDependencies = MailNames & {
  /** Null where no mail is sent. */
  mailer: Mailer | null;
  post: PinnedPost;
  /** Whether the demo is on, which has an inbox. */
  hasInbox: boolean;
  now: () => Date;
  /** Address of the Bot API; other than Telegram's in tests. */
  telegramUrl?: string | undefined;
  /** For a whole attempt. Other than usual in tests. */
  timeoutMilliseconds?: number | undefined;
};

/** Standard Webhooks recommends 15 to 30 s. */
const usualTimeout = 15_000;
/** Characters of an answer that are stored. */
const longestAnswer = 300;
/** A receiver that asks for a longer pause is tried again sooner. */
const longestPause = 6 * 3600;
const smtpOk = 250;
const finalCode = 500;

type Failure = Partial<Omit<Extract<SendResult, { kind: 'failed' }>, 'kind' | 'answer'>>;

function failed(answer: string, { status = null, retryAfter = null, isFinal = false, isGone = false }: Failure = {}): SendResult {
  return { kind: 'failed', answer: printable(answer, longestAnswer), status, retryAfter, isFinal, isGone };
}

/** Creates the function that sends mails and posts. */
export function createSend(deps: SendDependencies): Send {
  const { timeoutMilliseconds = usualTimeout } = deps;
  return async (destination, message, signal) => {
    if (destination.kind === 'console') return keepInInbox(deps);
    const timeout = AbortSignal.timeout(timeoutMilliseconds);
    try {
      const both = AbortSignal.any([signal, timeout]);
      return await (destination.kind === 'mail' ? sendMail(deps, destination, message, both) : postTo(deps, destination, message, both));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) return failed(`The receiver did not answer within ${timeoutMilliseconds / 1000} seconds.`);
      if (error instanceof RejectedAddress)
        return failed('The url leads to an address that is not public and not in CHANNEL_NETWORKS, or needs https.');
      if (error instanceof MailRejected) return failed(error.message, { isFinal: true });
      if (destination.kind === 'mail') return readMailError(error);
      return failed(`The receiver could not be reached: ${describeExchangeError(error)}.`);
    }
  };
}

/** The inbox shows stored messages, so there is nothing to send. */
function keepInInbox({ hasInbox }: SendDependencies): SendResult {
  return hasInbox ? { kind: 'sent', status: null, answer: channelMessages.inInbox } : failed(channelMessages.noInbox, { isFinal: true });
}

async function sendMail(
  { mailer, ...names }: SendDependencies,
  destination: Extract<Destination, { kind: 'mail' }>,
  message: MessageToSend,
  signal: AbortSignal,
): Promise<SendResult> {
  if (mailer === null) return failed('This console sends no mail, because SMTP_URL is not set.');
  const { text, refused } = await mailer.send(writeChannelMail(names, destination, message), signal);
  const missing = refused.map(({ address, code }) => `${address} (${code})`).join(', ');
  const answer = missing === '' ? text : `${text}. Not taken for ${missing}`;
  // 5xx answers to a recipient are final (RFC 5321 4.2.1).
  const unreached = refused.filter(({ code }) => code < finalCode).map(({ address }) => address);
  return { kind: 'sent', status: Number.parseInt(text, 10) || smtpOk, answer: printable(answer, longestAnswer), unreached };
}

/** An error of the mail server, or of the way to it. */
function readMailError(error: unknown): SendResult {
  const response = error instanceof Error && 'response' in error ? error.response : undefined;
  if (typeof response !== 'string') return failed(`The mail server could not be reached: ${describeExchangeError(error)}.`);
  return failed(`The mail server answered ${response}`, { status: Number.parseInt(response, 10) || null });
}

type Posted = Exclude<Destination, { kind: 'mail' | 'console' }>;

async function postTo(
  { post, now, telegramUrl = 'https://api.telegram.org' }: SendDependencies,
  destination: Posted,
  message: MessageToSend,
  signal: AbortSignal,
): Promise<SendResult> {
  const body = JSON.stringify(bodyOf(destination, message));
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/plain',
    'user-agent': 'Switchyard',
    ...(destination.kind === 'webhook' ? signWebhook({ id: message.id, at: now(), body, keys: destination.keys }) : {}),
  };
  const url = new URL(destination.kind === 'telegram' ? `${telegramUrl}/bot${destination.botToken}/sendMessage` : destination.url);
  // Who waits for the rest of an answer in vain posts again what has arrived.
  const answer = await post({ url, headers, body, signal, isStatusEnough: destination.kind !== 'telegram' });
  return destination.kind === 'telegram' ? readTelegramAnswer(answer) : readAnswer(destination.kind, answer, now());
}

/** The documented bodies: Standard Webhooks 1.0, sendMessage of the Bot API, incoming webhooks of Slack and of Mattermost. */
function bodyOf(destination: Posted, message: MessageToSend): object {
  const { kind } = destination;
  if (kind === 'webhook') return webhookBody(message);
  const text = writeChatText(kind, message);
  if (kind === 'telegram') return { chat_id: destination.chatId, text, link_preview_options: { is_disabled: true } };
  return kind === 'slack' ? { text, unfurl_links: false, unfurl_media: false } : { text };
}

function webhookBody({ at, items }: MessageToSend): object {
  if (items.length === 1) return webhookItem(items[0]);
  const messages = items.map((item) => ({ id: item.uid, ...webhookItem(item) }));
  return { type: 'digest', timestamp: at.toISOString(), data: { messages } };
}

function webhookItem({ type, at, severity, title, lines, url, data }: MessageItem): object {
  return { type, timestamp: at.toISOString(), data: { severity, title, lines, url, details: data } };
}

/**
 * Any 2xx is a success, and anything else a failure that is tried again, as Standard Webhooks says, also 4xx: a receiver that is being
 * deployed answers 404. With 410 a webhook wants no more messages.
 */
function readAnswer(kind: Posted['kind'], { status, text, retryAfter }: PostAnswer, now: Date): SendResult {
  const words = text === null ? 'a long answer' : text;
  if (status >= 200 && status < 300) return { kind: 'sent', status, answer: printable(words, longestAnswer) };
  if (status >= 300 && status < 400) return failed(`The receiver redirects elsewhere, which is not followed.`, { status });
  const answer = `The receiver answered ${status}${words.trim() === '' ? '' : `: ${words}`}`;
  return failed(answer, { status, retryAfter: readRetryAfter(retryAfter, now), isGone: status === 410 && kind === 'webhook' });
}

const telegramAnswer = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().positive().optional() }).optional(),
});

/** The Bot API says in its body whether a message was sent, and after how many seconds it takes further ones. */
function readTelegramAnswer({ status, text }: PostAnswer): SendResult {
  const body = telegramAnswer.safeParse(parse(text ?? '')).data;
  if (status >= 200 && status < 300 && body?.ok === true) return { kind: 'sent', status, answer: 'ok' };
  const words = body?.description ?? text ?? '';
  const retryAfter = body?.parameters?.retry_after;
  return failed(`Telegram answered ${status}${words === '' ? '' : `: ${words}`}`, {
    status,
    retryAfter: retryAfter === undefined ? null : boundedPause(retryAfter),
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds of a `retry-after` header, which has seconds or a date. */
function readRetryAfter(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : boundedPause(seconds);
}

function boundedPause(seconds: number): number {
  return Math.min(Math.max(1, Math.ceil(seconds)), longestPause);
}

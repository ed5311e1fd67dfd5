import { isServerUrl } from '@switchyard/contract/server-rules';
import { z } from 'zod';
import { describeExchangeError, printable } from '../exchange-text.ts';
import { createPinnedPost, RejectedAddress, type Resolve } from '../pinned-post.ts';
import { signWebhook } from '../webhook-signature.ts';
import type { DomainOutcome, DomainProvisioner, DomainRequest } from './domain-provisioner.ts';

/** Maximum length of a server's message and of a registrar's name; the rest is cut. */
const longestMessage = 200;
const longestRegistrar = 255;
const longestWait = 300;

/** Refusals that pass: a timeout of the server, too early, too many. */
const passing = new Set([408, 425, 429]);

const doneAnswer = z.object({
  registrar: z.string().max(255).nullish(),
  ssl_at: z.iso.datetime({ offset: true }).nullish(),
});
const pending = z.object({ retry_after: z.number().positive().max(86_400).optional() });
const rejectedAnswer = z.object({ message: z.string() });

/** The answer came, but is none of docs/provisioning.md. */
class BadAnswer extends Error {
  override name = 'BadAnswer';
}

/** Names the setting, as the operator of the console has to change it. */
const rejectedMessage = 'The url of the server leads to an address that is not public and not in PROVISIONER_NETWORKS';

type Answer = { status: number; body: unknown };

/**
 * Asks traffic servers over HTTP by the protocol of docs/provisioning.md: `POST {url}/domains`, signed with the hash of the
 * server's token, so that the token itself never leaves (docs/decisions/0013). Contacts public addresses and `networks`
 * only, and follows no redirect.
 * @param timeoutMilliseconds for a whole exchange.
 * @param resolve gives the addresses of a name; the system's resolver by default.
 */
export function createHttpProvisioner({
  now,
  networks,
  timeoutMilliseconds = 10_000,
  resolve,
}: {
  now: () => Date;
  networks: readonly string[];
  timeoutMilliseconds?: number;
  resolve?: Resolve;
}): DomainProvisioner {
  const post = createPinnedPost({ networks, ...(resolve ? { resolve } : {}) });

  async function exchange(request: DomainRequest, key: Buffer, signal: AbortSignal): Promise<Answer> {
    const body = bodyOf(request);
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'Switchyard',
      ...signWebhook({ id: request.id, at: now(), body, keys: [key] }),
    };
    const url = new URL(`${request.server.url.replace(/\/+$/, '')}/domains`);
    const { status, text } = await post({ url, headers, body, signal });
    if (text === null) throw new BadAnswer('The answer of the server is too long');
    return { status, body: parse(text) };
  }

  return {
    stageSeconds: 0,
    async perform(request, signal) {
      const { tokenHash, url } = request.server;
      // Addresses saved before the rule was made may still have a query, which would swallow the path.
      if (!isServerUrl(url)) return failureOf('The url of the server must be http(s)://host[:port][/path]; change it under Servers', true);
      if (tokenHash === null) return failureOf('The server has no token of at least 24 characters', true);
      const timeout = AbortSignal.timeout(timeoutMilliseconds);
      try {
        return outcomeOf(await exchange(request, tokenHash, AbortSignal.any([signal, timeout])));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof RejectedAddress) return failureOf(rejectedMessage, true);
        if (timeout.aborted) return failureOf(`The server did not answer within ${timeoutMilliseconds / 1000} seconds`, false);
        return failureOf(describeError(error), false);
      }
    },
  };
}

function bodyOf({ action, domain, onlyCloudflare, server }: DomainRequest): string {
  return JSON.stringify({ action, domain, only_cloudflare: onlyCloudflare, server_id: server.id });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function outcomeOf({ status, body }: Answer): DomainOutcome {
  if (status === 202) {
    const wait = pending.safeParse(body).data?.retry_after ?? 15;
    return { kind: 'pending', seconds: Math.min(Math.max(1, Math.ceil(wait)), longestWait) };
  }
  if (status >= 200 && status < 300) {
    const fields = doneAnswer.safeParse(body).data;
    if (!fields) throw new BadAnswer('The answer of the server cannot be read');
    return {
      kind: 'done',
      ...(typeof fields.registrar === 'string' ? { registrar: printable(fields.registrar, longestRegistrar) } : {}),
      ...(typeof fields.ssl_at === 'string' ? { sslAt: new Date(fields.ssl_at) } : {}),
    };
  }
  if (status >= 300 && status < 400) return failureOf(`The server redirects elsewhere (${status}), which is not followed`, false);
  const message = printable(rejectedAnswer.safeParse(body).data?.message ?? '', longestMessage);
  return failureOf(`The server answered ${status}${message === '' ? '' : `: ${message}`}`, status < 500 && !passing.has(status));
}

function failureOf(message: string, isFinal: boolean): DomainOutcome {
  return { kind: 'failed', message, isFinal };
}

/** Why an exchange failed, for the operator of the server. */
function describeError(error: unknown): string {
  if (error instanceof BadAnswer) return error.message;
  return `The server could not be reached: ${describeExchangeError(error)}`;
}

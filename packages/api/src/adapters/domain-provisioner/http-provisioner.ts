import { createHmac } from 'node:crypto';
import { isServerUrl } from '@switchyard/contract/server-rules';
import { z } from 'zod';
import type { DomainOutcome, DomainProvisioner, DomainRequest } from './domain-provisioner.ts';
import { createPinnedPost, RejectedAddress, type Resolve } from './pinned-post.ts';

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
      ...signatureOf({ id: request.id, at: now(), body, key }),
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
        if (error instanceof RejectedAddress) return failureOf(error.message, true);
        if (timeout.aborted) return failureOf(`The server did not answer within ${timeoutMilliseconds / 1000} seconds`, false);
        return failureOf(describeError(error), false);
      }
    },
  };
}

function bodyOf({ action, domain, onlyCloudflare, server }: DomainRequest): string {
  return JSON.stringify({ action, domain, only_cloudflare: onlyCloudflare, server_id: server.id });
}

/** The three headers of Standard Webhooks 1.0: receivers check them with one of its libraries. */
function signatureOf({ id, at, body, key }: { id: string; at: Date; body: string; key: Buffer }): Record<string, string> {
  const time = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
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
      ...(typeof fields.registrar === 'string' ? { registrar: plain(fields.registrar, longestRegistrar) } : {}),
      ...(typeof fields.ssl_at === 'string' ? { sslAt: new Date(fields.ssl_at) } : {}),
    };
  }
  if (status >= 300 && status < 400) return failureOf(`The server redirects elsewhere (${status}), which is not followed`, false);
  const message = plain(rejectedAnswer.safeParse(body).data?.message ?? '', longestMessage);
  return failureOf(`The server answered ${status}${message === '' ? '' : `: ${message}`}`, status < 500 && !passing.has(status));
}

/** Words of a stranger for one line on a screen: printable characters only. */
function plain(text: string, most: number): string {
  const printable = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  // A character of two code units is not cut in half.
  return printable
    .slice(0, most)
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
}

function failureOf(message: string, isFinal: boolean): DomainOutcome {
  return { kind: 'failed', message, isFinal };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name cannot be looked up',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept connections',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
};

/** Why an exchange failed, for the operator of the server. */
function describeError(error: unknown): string {
  if (error instanceof BadAnswer) return error.message;
  const code = codeOf(error);
  const reason = code === null ? undefined : reasons[code];
  return `The server could not be reached: ${reason ?? code ?? 'the exchange failed'}`;
}

/** The code of the error or of what caused it. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { DomainOutcome, DomainProvisioner, DomainRequest } from './domain-provisioner.ts';

/** Bytes of an answer that are read at most. */
const longestAnswer = 65_536;
const longestMessage = 300;
const longestWait = 300;

/** Refusals that pass: a timeout of the server, too early, too many. */
const passing = new Set([408, 425, 429]);

const done = z.object({
  registrar: z.string().max(255).nullish(),
  ssl_at: z.iso.datetime({ offset: true }).nullish(),
});
const pending = z.object({ retry_after: z.number().positive().max(86_400).optional() });
const refused = z.object({ message: z.string() });

/** The answer came, but is none of docs/provisioning.md. */
class BadAnswer extends Error {
  override name = 'BadAnswer';
}

type Answer = { status: number; body: unknown };

/**
 * Asks traffic servers over HTTP by the protocol of docs/provisioning.md: `POST {url}/domains`, signed with the hash of the
 * server's token, so that the token itself never leaves (docs/decisions/0013). Redirects are not followed.
 * @param timeoutMilliseconds for a whole exchange.
 */
export function createHttpProvisioner({
  now,
  timeoutMilliseconds = 10_000,
}: {
  now: () => Date;
  timeoutMilliseconds?: number;
}): DomainProvisioner {
  async function exchange(request: DomainRequest, key: Buffer, signal: AbortSignal): Promise<Answer> {
    const body = bodyOf(request);
    const response = await fetch(`${request.server.url.replace(/\/+$/, '')}/domains`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'Switchyard',
        ...signatureOf({ id: request.id, at: now(), body, key }),
      },
      body,
      signal,
    });
    const text = await readShort(response);
    return { status: response.status, body: parsed(text) };
  }

  return {
    stageSeconds: 0,
    async perform(request, signal) {
      const { tokenHash } = request.server;
      if (tokenHash === null) return failed('The server has no token of at least 24 characters', true);
      const timeout = AbortSignal.timeout(timeoutMilliseconds);
      try {
        return outcomeOf(await exchange(request, tokenHash, AbortSignal.any([signal, timeout])));
      } catch (error) {
        signal.throwIfAborted();
        if (timeout.aborted) return failed(`The server did not answer within ${timeoutMilliseconds / 1000} seconds`, false);
        return failed(explained(error), false);
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

async function readShort(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > longestAnswer) throw new BadAnswer('The answer of the server is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
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
    const fields = done.safeParse(body).data;
    if (!fields) throw new BadAnswer('The answer of the server cannot be read');
    return {
      kind: 'done',
      ...(typeof fields.registrar === 'string' ? { registrar: plain(fields.registrar) } : {}),
      ...(typeof fields.ssl_at === 'string' ? { sslAt: new Date(fields.ssl_at) } : {}),
    };
  }
  if (status >= 300 && status < 400) return failed(`The server redirects elsewhere (${status}), which is not followed`, false);
  const message = refused.safeParse(body).data?.message;
  const said = message === undefined || plain(message) === '' ? '' : `: ${plain(message)}`;
  return failed(`The server answered ${status}${said}`, status < 500 && !passing.has(status));
}

/** Words of a stranger for one line on a screen. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longestMessage)
    .toWellFormed();
}

function failed(message: string, isFinal: boolean): DomainOutcome {
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

/** Why an exchange failed, for the person who looks after the server. */
function explained(error: unknown): string {
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

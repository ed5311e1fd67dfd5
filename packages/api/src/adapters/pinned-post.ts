import { isPublicAddress, isPublicHost } from '@switchyard/contract/public-host';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { readUpTo } from './read-up-to.ts';

/** Gives the IP addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** `text` is null when the body was too long, or did not end and `isStatusEnough`; `retryAfter` is the header of that name. */
export type PostAnswer = { status: number; text: string | null; retryAfter: string | null };

/** Posts a text. `isStatusEnough`: the status alone says what became of it. @throws RejectedAddress before anything is sent. */
export type PinnedPost = (request: {
  isStatusEnough?: boolean;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}) => Promise<PostAnswer>;

/** Addresses that may be contacted: public ones and those in `networks`. `needsTls`: of public ones only those with https. */
export type AddressRule = { networks: readonly string[]; needsTls?: boolean };

/** The url leads to an address that may not be contacted; the message names none, so that nobody learns of inner networks. */
export class RejectedAddress extends Error {
  override name = 'RejectedAddress';
  constructor() {
    super('The url leads to an address that is not public and not in a network that the operator allows');
  }
}

/** Bytes of an answer that are read at most. */
const longestAnswer = 65_536;

const resolveBySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Whether a url could be posted to, as far as its text shows: the addresses of a name are known only when something is sent.
 */
export function couldBePostedTo(url: URL, { networks, needsTls = false }: AddressRule): boolean {
  const host = hostOf(url);
  const mayBePublic = isPublicHost(host) && (!needsTls || url.protocol === 'https:');
  return mayBePublic || (isIP(host) === 0 ? networks.length > 0 : isListed(listOf(networks), host));
}

/**
 * Makes a function that posts to the addresses of a rule only. A name is resolved once, all its addresses are checked, and the
 * connection goes to them, so that a second answer of the name server changes nothing. TLS still verifies the name. Redirects are
 * not followed.
 */
export function createPinnedPost({
  networks,
  needsTls = false,
  resolve = resolveBySystem,
}: AddressRule & { resolve?: Resolve }): PinnedPost {
  const allowedNetworks = listOf(networks);

  async function checkedAddresses(url: URL): Promise<readonly string[]> {
    const host = hostOf(url);
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
    const admitsPublic = !needsTls || url.protocol === 'https:';
    for (const address of addresses) {
      if (!(admitsPublic && isPublicAddress(address)) && !isListed(allowedNetworks, address)) throw new RejectedAddress();
    }
    return addresses;
  }

  return async ({ url, headers, body, signal, isStatusEnough = false }) => {
    const addresses = await unlessAborted(checkedAddresses(url), signal);
    // Imported here, because the values of node:http load the client of WebSockets too, which slows down each start.
    const { request: open } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
    const length = String(Buffer.byteLength(body));
    const request = open(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      signal,
      // A connection that is kept could belong to an address that was checked for another call.
      agent: false,
      lookup: answerWith(addresses),
    });
    // Once the response is there, its own stream reports errors.
    request.on('error', () => undefined);
    const answer = once(request, 'response', { signal });
    request.end(body);
    const [response]: IncomingMessage[] = await answer;
    if (!response) throw new Error('The request ended without a response');
    try {
      const retryAfter = response.headers['retry-after'] ?? null;
      const bytes = await readUpTo(response, longestAnswer).catch((error: unknown) => {
        if (!isStatusEnough) throw error;
        return null;
      });
      return { status: response.statusCode ?? 0, text: bytes?.toString('utf8') ?? null, retryAfter };
    } finally {
      request.destroy();
    }
  };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function isListed(networks: BlockList, address: string): boolean {
  return networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Answers the socket's own lookup with addresses that are known already. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const ipAddresses = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, answer) => {
    const [first] = ipAddresses;
    if (all === true) answer(null, ipAddresses);
    else answer(null, first?.address ?? '', first?.family);
  };
}

/** Lookups cannot be aborted; their answer then reaches nobody. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const abortion = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, abortion]);
}

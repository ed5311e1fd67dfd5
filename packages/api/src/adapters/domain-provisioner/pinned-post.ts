import { isPublicAddress } from '@switchyard/contract/public-host';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Gives the IP addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** `text` is null when the body was too long. */
export type PostAnswer = { status: number; text: string | null };

/** The url leads to an address that may not be contacted; the message names none, so that nobody learns of inner networks. */
export class RejectedAddress extends Error {
  override name = 'RejectedAddress';
  constructor() {
    super('The url of the server leads to an address that is not public and not in PROVISIONER_NETWORKS');
  }
}

/** Bytes of an answer that are read at most. */
const longestAnswer = 65_536;

const resolveBySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Makes a function that posts to public addresses and to those in `networks` only. A name is resolved once, all its
 * addresses are checked, and the connection goes to them, so that a second answer of the name server changes
 * nothing. TLS still verifies the name. Redirects are not followed.
 */
export function createPinnedPost({ networks, resolve = resolveBySystem }: { networks: readonly string[]; resolve?: Resolve }) {
  const allowedNetworks = listOf(networks);

  async function checkedAddresses(host: string): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
    for (const address of addresses) {
      if (!isPublicAddress(address) && !allowedNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) throw new RejectedAddress();
    }
    return addresses;
  }

  /** @throws RejectedAddress before anything is sent. */
  return async ({
    url,
    headers,
    body,
    signal,
  }: {
    url: URL;
    headers: Readonly<Record<string, string>>;
    body: string;
    signal: AbortSignal;
  }): Promise<PostAnswer> => {
    const addresses = await unlessAborted(checkedAddresses(url.hostname.replace(/^\[|\]$/g, '')), signal);
    const { request: open } = url.protocol === 'https:' ? https : http;
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
      return { status: response.statusCode ?? 0, text: await readShort(response) };
    } finally {
      request.destroy();
    }
  };
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

async function readShort(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > longestAnswer) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

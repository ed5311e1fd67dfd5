import { edgeConfig, type EdgeConfig } from '@switchyard/contract/edge';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { createReadStream } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { EventRow } from './ingest-rows.ts';

/** Rules of the edge configuration that the simulator's traffic servers obey. */
export type EdgeRules = {
  /** Asks the console for news; without an answer the former rules go on. */
  poll: (token: string) => Promise<void>;
  /** Whether a traffic server would let this happen: nobody black-listed gets in, and no banned system creates or receives. */
  lets: (row: Pick<EventRow, 'ip' | 'type'>) => boolean;
};

type Rules = { blackList: ReadonlySet<string>; networks: BlockList; create: BlockList; receive: BlockList };

const answer = z.object({ data: edgeConfig });
const timeoutMilliseconds = 5_000;

/** @param options.registry files whose lines are first address, last address and code of a system. */
export function createEdgeRules(options: { url: string; registry: readonly string[]; fetch?: typeof fetch }): EdgeRules {
  let etag = '';
  let rules: Rules = { blackList: new Set(), networks: new BlockList(), create: new BlockList(), receive: new BlockList() };

  return {
    async poll(token) {
      const news = await ask(options, token, etag).catch(() => null);
      if (!news) return;
      rules = await rulesOf(news.config, options.registry);
      etag = news.etag;
    },
    lets({ ip, type }) {
      const address = canonicalIp(ip) ?? ip;
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (rules.blackList.has(address) || rules.networks.check(address, family)) return false;
      if (type !== 'create' && type !== 'receive') return true;
      return !rules[type].check(address, family);
    },
  };
}

async function ask(
  { url, fetch: request = fetch }: { url: string; fetch?: typeof fetch },
  token: string,
  etag: string,
): Promise<{ etag: string; config: EdgeConfig } | null> {
  const response = await request(`${url}/api/edge/config?networks=1`, {
    headers: { authorization: `Bearer ${token}`, 'if-none-match': etag },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  if (response.status !== 200) return null;
  return { etag: response.headers.get('etag') ?? '', config: answer.parse(await response.json()).data };
}

/** Only the ranges of banned systems are kept; without a ban no file is read. */
async function rulesOf(
  { black_list: blackList, black_networks: networks = [], asns }: EdgeConfig,
  registry: readonly string[],
): Promise<Rules> {
  const rules = { blackList: new Set(blackList), networks: new BlockList(), create: new BlockList(), receive: new BlockList() };
  for (const network of networks) {
    const [first = '', length] = network.split('/');
    rules.networks.addSubnet(first, Number(length), first.includes(':') ? 'ipv6' : 'ipv4');
  }
  const codes = { create: new Set(asns.create.map(String)), receive: new Set(asns.receive.map(String)) };
  if (codes.create.size + codes.receive.size === 0) return rules;
  for (const path of registry) {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const [first = '', last = '', code = ''] = line.split(',', 3);
      const family = first.includes(':') ? 'ipv6' : 'ipv4';
      if (codes.create.has(code)) rules.create.addRange(first, last, family);
      if (codes.receive.has(code)) rules.receive.addRange(first, last, family);
    }
  }
  return rules;
}

import { wireDate } from '@switchyard/contract/dates';
import * as contract from '@switchyard/contract/dev-tools';
import { readFileSync } from 'node:fs';
import { UndecodableText, type RequestCipher } from '../../adapters/request-cipher.ts';
import { createAddressLimit } from '../../overload/address-limit.ts';
import type { CallCounts } from '../../database/call-counts.ts';
import type { Databases } from '../../database/connect.ts';
import { HttpError } from '../../errors.ts';
import type { AppHosts } from '../../app-hosts.ts';
import type { AppHost } from '../../http/app-host.ts';
import type { Feature } from '../../http/bind.ts';
import { findLiveDomain } from '../apps/apps-lookup.ts';

type Deps = {
  db: Databases['db'];
  cipher: RequestCipher;
  appHosts: Pick<AppHosts, 'domainIn'>;
  callCounts: CallCounts;
  now: () => Date;
};

/** The guide is served with a policy that allows no scripts and no requests. */
const guidePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const guide = readFileSync(new URL('mobile-guide.html', import.meta.url), 'utf8');
/** Limit of calls by address at the hosts of apps; `window` in milliseconds (api 0.15). */
const limit = { calls: 60, window: 60_000 };

/** Calls with which developers of apps test requests (api [70]-[73]). */
export function createDevTools({ db, cipher, appHosts, callCounts, now }: Deps): Feature & { appHost: Omit<AppHost, 'origin'> } {
  function decode(text: string): unknown {
    try {
      return cipher.decode(text);
    } catch (error) {
      if (error instanceof UndecodableText) throw new HttpError(400, contract.devToolsMessages.undecodable);
      throw error;
    }
  }

  return {
    bindRoutes(bind) {
      bind(contract.encodeRequest, async ({ body }) => cipher.encode(body.data));
      bind(contract.decodeRequest, async ({ body }) => decode(body.data));
      bind(contract.getMobileDocs, async () => ({ body: guide, headers: { 'content-security-policy': guidePolicy } }));
    },
    appHost: {
      async findDomain(host) {
        const inner = appHosts.domainIn(host.replace(/\.$/, ''));
        return (await findLiveDomain(db, host)) ?? (inner === host ? null : await findLiveDomain(db, inner));
      },
      admit: createAddressLimit({ name: 'dev', ...limit, counts: callCounts }),
      async answer(domain, text) {
        const echo: contract.DevEcho = { domain, received: decode(text), time: wireDate(now()) };
        return cipher.encode(echo);
      },
    },
  };
}

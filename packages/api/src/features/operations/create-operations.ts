import { messages } from '@switchyard/contract/envelope';
import * as contract from '@switchyard/contract/operations';
import { getServerTime } from '@switchyard/contract/server-time';
import { getSettings } from '@switchyard/contract/settings';
import { timingSafeEqual, createHash } from 'node:crypto';
import type { Settings } from '../../env.ts';
import { notFound, unauthorized } from '../../errors.ts';
import { bearerToken } from '../../http/authenticate.ts';
import type { Feature } from '../../http/bind.ts';
import type { Metrics } from '../../metrics.ts';
import { checkReadiness, type ReadinessDependencies } from './readiness-check.ts';
import { serverTimeAt } from './server-clock.ts';

/** Settings for the console, server time, probes, metrics and the description of the API (api [9], [10], 14). */
export function createOperations(deps: {
  settings: Pick<Settings, 'names' | 'signIn' | 'console' | 'metricsToken'>;
  version: string;
  now: () => Date;
  metrics: Metrics;
  readiness: ReadinessDependencies;
  /** The OpenAPI document as JSON text; null when the reference is switched off. */
  openApi: string | null;
}): Feature {
  const { settings } = deps;
  return {
    bindRoutes(bind) {
      bind(getServerTime, async () => serverTimeAt(deps.now(), settings.console.utcOffset), { slots: 'none' });
      bind(getSettings, async () => ({
        ...settings.names,
        version: deps.version,
        loginMethods: settings.signIn.methods,
        hideDocs: settings.console.hideDocs,
        hideOnlyCf: settings.console.hideOnlyCf,
      }));
      bind(contract.getLiveness, async () => ({ body: 'ok' }));
      bind(contract.getReadiness, async () => {
        const readiness = await checkReadiness(deps.readiness);
        return { body: JSON.stringify(readiness), status: readiness.status === 'ready' ? 200 : 503 };
      });
      bind(contract.getMetrics, async () => ({ body: await deps.metrics.text() }), {
        // A configured token is asked of everybody; without one nobody else than this machine may read (O41).
        admit: async ({ authorization, isLoopback }) => {
          const { metricsToken } = settings;
          if (metricsToken === null ? !isLoopback : !isSame(bearerToken(authorization), metricsToken)) throw unauthorized();
        },
      });
      bind(contract.getOpenApi, async () => {
        if (deps.openApi === null) throw notFound(messages.notFound);
        return { body: deps.openApi };
      });
    },
  };
}

/** Compares hashes, so that the time tells nothing of the token, not even its length. */
function isSame(given: string | null, expected: string): boolean {
  return given !== null && timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

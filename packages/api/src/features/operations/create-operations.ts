import { messages } from '@switchyard/contract/envelope';
import * as contract from '@switchyard/contract/operations';
import { getServerTime, type ServerTime } from '@switchyard/contract/server-time';
import { getBuild, getDemoProgress, getSettings, type Build } from '@switchyard/contract/settings';
import { timingSafeEqual, createHash } from 'node:crypto';
import type { Settings } from '../../env.ts';
import { notFound, unauthorized } from '../../errors.ts';
import { bearerToken } from '../../http/authenticate.ts';
import type { Feature } from '../../http/bind.ts';
import { type Storage, storageState } from '../../observability/storage.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Readiness } from '@switchyard/contract/operations';
import { formatDateTime, fromDate, offsetMinutes } from '@switchyard/contract/dates';

/** Settings for the console, server time, probes, metrics and the description of the API (api [9], [10], 14). */
export function createOperations(deps: {
  settings: Pick<Settings, 'names' | 'signIn' | 'console' | 'metricsToken'>;
  build: Build;
  /** Share of the demo's past that is loaded; null while none is being loaded. */
  demoLoaded: () => number | null;
  demoIsOn: boolean;
  now: () => Date;
  metrics: Metrics;
  readiness: ReadinessDependencies;
  storage: Storage;
  /** Returns the OpenAPI document as JSON text; null when the reference is switched off. */
  openApi: (() => string) | null;
}): Feature {
  const { settings } = deps;
  return {
    bindRoutes(bind) {
      bind(getServerTime, async () => serverTimeAt(deps.now(), settings.console.utcOffset), { slots: 'none' });
      bind(getSettings, async () => ({
        ...settings.names,
        version: deps.build.version,
        loginMethods: settings.signIn.methods,
        hideDocs: settings.console.hideDocs,
        hideOnlyCf: settings.console.hideOnlyCf,
      }));
      bind(getBuild, async () => deps.build, { slots: 'none' });
      bind(
        getDemoProgress,
        async ({ query: { inbox } }) => ({ loaded: deps.demoLoaded(), ...(inbox === true && { has_inbox: deps.demoIsOn }) }),
        { slots: 'none' },
      );
      bind(contract.getLiveness, async () => ({ body: 'ok' }));
      bind(contract.getReadiness, async ({ query: { details } }) => {
        const readiness = await checkReadiness(deps.readiness);
        const shown = details === true ? { ...readiness, storage: await storageState(deps.storage) } : readiness;
        return { body: JSON.stringify(shown), status: readiness.status === 'ready' ? 200 : 503 };
      });
      bind(contract.getMetrics, async () => ({ body: await deps.metrics.text() }), {
        // With a configured token every client needs it; without one only clients on this machine may read.
        admit: async ({ authorization, isLoopback }) => {
          const { metricsToken } = settings;
          if (metricsToken === null ? !isLoopback : !isSame(bearerToken(authorization), metricsToken)) throw unauthorized();
        },
      });
      bind(contract.getOpenApi, async () => {
        if (deps.openApi === null) throw notFound(messages.notFound);
        return { body: deps.openApi() };
      });
    },
  };
}

/** Compares hashes, so that the duration reveals nothing about the token, not even its length. */
function isSame(text: string | null, expected: string): boolean {
  return text !== null && timingSafeEqual(digest(text), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export type ReadinessDependencies = {
  isStopping: () => boolean;
  /** Whether the database answers. */
  databaseAnswers: () => Promise<boolean>;
  /** Whether every migration ran. Called only if the database answers. */
  isMigrated: () => Promise<boolean>;
  /** Milliseconds after which a check counts as failed. */
  timeout?: number;
};

/** Leaves half a second of the 2.5 s limit of readiness (api [96]). */
const defaultTimeout = 2000;

/** Checks whether calls can be served, within `timeout`. Unavailable from the start of a shutdown. */
export async function checkReadiness(deps: ReadinessDependencies): Promise<Readiness> {
  if (deps.isStopping()) return unavailable('shutdown', 'shutdown');
  const deadline = Promise.withResolvers<null>();
  const timer = setTimeout(() => deadline.resolve(null), deps.timeout ?? defaultTimeout);
  const inTime = (check: () => Promise<boolean>) => Promise.race([check().catch(() => false), deadline.promise]);
  try {
    if ((await inTime(deps.databaseAnswers)) !== true) return unavailable('failed', 'failed');
    const isMigrated = await inTime(deps.isMigrated);
    if (isMigrated === null) return unavailable('failed', 'failed');
    return isMigrated ? { status: 'ready', checks: { database: 'ok', migrations: 'ok' } } : unavailable('ok', 'pending');
  } finally {
    clearTimeout(timer);
  }
}

type Check = Readiness['checks']['database'];

function unavailable(database: Check, migrations: Check): Readiness {
  return { status: 'unavailable', checks: { database, migrations } };
}

/** The server time in its fixed offset `+HH:MM` (api [9]). */
export function serverTimeAt(now: Date, offset: string): ServerTime {
  const minutes = offsetMinutes(offset) ?? 0;
  const time = formatDateTime(fromDate(now) + minutes * 60_000_000).slice(0, 16);
  return { time, timezone: minutes === 0 ? 'UTC' : `UTC${offset}`, GMT: offset };
}

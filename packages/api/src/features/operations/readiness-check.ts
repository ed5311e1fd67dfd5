import type { Readiness } from '@switchyard/contract/operations';

export type ReadinessDependencies = {
  isStopping: () => boolean;
  /** Whether the database answers; may take its time. */
  databaseAnswers: () => Promise<boolean>;
  /** Whether every migration ran; asked only of a database that answers. */
  isMigrated: () => Promise<boolean>;
  /** Milliseconds after which a check that did not answer counts as failed. */
  patience?: number;
};

/** Leaves half a second of the 2.5 that readiness may take (api [96]). */
const defaultPatience = 2000;

/** Whether calls can be served; on shutdown at once not, and never later than the patience allows. */
export async function checkReadiness(deps: ReadinessDependencies): Promise<Readiness> {
  if (deps.isStopping()) return unavailable('shutdown', 'shutdown');
  const deadline = Promise.withResolvers<null>();
  const timer = setTimeout(() => deadline.resolve(null), deps.patience ?? defaultPatience);
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

import { describe, expect, it } from 'vitest';
import { checkReadiness, type ReadinessDependencies } from './create-operations.ts';

const sound: ReadinessDependencies = { isStopping: () => false, databaseAnswers: async () => true, isMigrated: async () => true };
const never = () => new Promise<boolean>(() => undefined);

function unavailable(database: string, migrations: string) {
  return { status: 'unavailable', checks: { database, migrations } };
}

describe('readiness (api [96])', () => {
  it('[API-005] is ready when the database answers and is migrated', async () => {
    expect(await checkReadiness(sound)).toEqual({ status: 'ready', checks: { database: 'ok', migrations: 'ok' } });
  });

  it('[API-005] names what is missing', async () => {
    expect(await checkReadiness({ ...sound, databaseAnswers: async () => false })).toEqual(unavailable('failed', 'failed'));
    expect(await checkReadiness({ ...sound, databaseAnswers: () => Promise.reject(new Error('gone')) })).toEqual(
      unavailable('failed', 'failed'),
    );
    expect(await checkReadiness({ ...sound, isMigrated: async () => false })).toEqual(unavailable('ok', 'pending'));
  });

  it('[API-005] on shutdown it asks nobody', async () => {
    expect(await checkReadiness({ isStopping: () => true, databaseAnswers: never, isMigrated: never })).toEqual(
      unavailable('shutdown', 'shutdown'),
    );
  });

  it('[API-005] a check that hangs counts as failed once the timeout is over', async () => {
    expect(await checkReadiness({ ...sound, databaseAnswers: never, timeout: 20 })).toEqual(unavailable('failed', 'failed'));
    expect(await checkReadiness({ ...sound, isMigrated: never, timeout: 20 })).toEqual(unavailable('failed', 'failed'));
  });
});

import { readMigrationState } from '../database/migrate.ts';
import { prepareDatabase } from '../database/prepare-database.ts';
import type { Databases } from '../database/connect.ts';
import { BadSetting, type Settings } from '../env.ts';
import { findLastSeal, lockSealing } from '../features/audit-seals/audit-seals-store.ts';
import {
  adoptNextKey,
  describeMissingKeyFile,
  findSecretKeys,
  makeKeyFile,
  makeNextKeyFile,
  type FoundKeys,
} from '../secret-keys/secret-key.ts';
import { holdKeys, keyName } from '../secret-keys/held-keys.ts';
import { assertKeys } from '../secret-keys/match-keys.ts';
import { rotateKey } from '../secret-keys/rotate-key.ts';
import { findKeyState } from '../secret-keys/secret-keys-store.ts';
import { tell, withDatabase } from './with-database.ts';

/** Replaces the key of the database by SECRET_KEY, or the one of the data folder by a new one. */
export async function runRotation({ isPreviousLost }: { isPreviousLost: boolean }): Promise<void> {
  await withDatabase(
    async ({ settings, databases }) => {
      await requireMigrations(databases, isPreviousLost);
      const foundKeys = await keysToRotate(settings, databases, isPreviousLost);
      const keys = holdKeys(foundKeys);
      const { isUnchanged, from } = await rotateKey({ databases, keys, isPreviousLost, seals: { lockSealing, findLastSeal }, tell });
      if (foundKeys.isNext) await adoptNextKey(settings.dataDir);
      tell(
        lastLine({
          isUnchanged,
          own: keyName(keys.main.fingerprint),
          from: from && keyName(from.fingerprint),
          isFile: settings.secrets.key === null,
        }),
      );
    },
    { needsKey: true },
  );
}

/** After the loss of the key no console starts, so nothing else would run the migrations. */
async function requireMigrations({ pools, opsDb }: Databases, isPreviousLost: boolean): Promise<void> {
  const { problem, isComplete } = await readMigrationState(pools.ops);
  if (problem !== null) throw new BadSetting(problem);
  if (isComplete) return;
  if (!isPreviousLost) throw new BadSetting('Database: migrations pending (start a console of this version first)');
  await prepareDatabase(opsDb);
}

async function keysToRotate(settings: Settings, { opsDb }: Databases, isPreviousLost: boolean): Promise<FoundKeys> {
  const foundKeys = await findSecretKeys(settings);
  if (foundKeys === null) {
    if (isPreviousLost) return makeKeyFile(settings);
    throw new BadSetting(describeMissingKeyFile(settings.dataDir));
  }
  if (isPreviousLost || settings.secrets.key !== null || foundKeys.previous !== null) return foundKeys;
  // Only a key that fits is replaced by a new file.
  assertKeys(await findKeyState(opsDb), holdKeys(foundKeys));
  return makeNextKeyFile(settings);
}

type Result = { isUnchanged: boolean; own: string; from: string | null; isFile: boolean };

function lastLine({ isUnchanged, own, from, isFile }: Result): string {
  if (isFile) return `Done: DATA_DIR has ${own}. Start the console.`;
  if (isUnchanged)
    return `SECRET_KEY: ${own} encrypts everything already. To replace it, set SECRET_KEY to a new key and SECRET_KEY_PREVIOUS to this one.`;
  const backups = from === null ? '' : ` Backups that were made before need ${from}.`;
  return `Done. Remove SECRET_KEY_PREVIOUS from the settings of all consoles.${backups}`;
}

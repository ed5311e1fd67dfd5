import { createAnchorFile } from '../adapters/audit-anchor.ts';
import { verifyTrail, type TrailResult } from '../features/audit-seals/verify-trail.ts';
import { BadSetting } from '../env.ts';
import { describeMissingKeyFile, findSecretKeys } from '../secret-keys/secret-key.ts';
import { createLoadAuditKeys } from '../secret-keys/derived-keys.ts';
import { holdKeys } from '../secret-keys/held-keys.ts';
import { assertKeys } from '../secret-keys/match-keys.ts';
import { findKeyState } from '../secret-keys/secret-keys-store.ts';
import { tell, withDatabase } from './with-database.ts';

const exitCodes: Readonly<Record<TrailResult, number>> = { unchanged: 0, changed: 1, unanchored: 3 };

/** Compares every entry of the audit trail with its seal, and the seals with these anchors and that of DATA_DIR. */
export async function verifyAudit(anchors: readonly string[]): Promise<void> {
  await withDatabase(
    async ({ settings, databases }) => {
      const foundKeys = await findSecretKeys(settings);
      if (foundKeys === null) throw new BadSetting(describeMissingKeyFile(settings.dataDir));
      const keys = holdKeys(foundKeys);
      assertKeys(await findKeyState(databases.opsDb), keys);
      const file = createAnchorFile(settings.dataDir);
      process.exitCode = exitCodes[await verifyTrail({ db: databases.opsDb, loadKeys: createLoadAuditKeys(keys), anchors, file, tell })];
    },
    { needsKey: true },
  );
}

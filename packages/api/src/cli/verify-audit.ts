import { createAnchorFile } from '../adapters/audit-anchor.ts';
import { createAuditMac } from '../adapters/audit-mac.ts';
import { verifyTrail, type TrailResult } from '../features/audit/verify-trail.ts';
import { findSecretKey } from '../secret-key.ts';
import { tell, withDatabase } from './with-database.ts';

const exitCodes: Readonly<Record<TrailResult, number>> = { unchanged: 0, changed: 1, unanchored: 3 };

/** Compares every entry of the audit trail with its seal, and the seals with these anchors and that of DATA_DIR. */
export async function verifyAudit(anchors: readonly string[]): Promise<void> {
  await withDatabase(
    async ({ settings, databases }) => {
      const mac = createAuditMac(await findSecretKey({ given: settings.secrets.key, dataDir: settings.dataDir }));
      const file = createAnchorFile(settings.dataDir);
      process.exitCode = exitCodes[await verifyTrail({ db: databases.opsDb, mac, anchors, file, tell })];
    },
    { needsKey: true },
  );
}

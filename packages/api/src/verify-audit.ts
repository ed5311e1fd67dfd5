import { parseArgs } from 'node:util';
import { createAnchorFile } from './adapters/audit-anchor.ts';
import { createAuditMac } from './adapters/audit-mac.ts';
import { verifyTrail, type TrailResult } from './features/audit/verify-trail.ts';
import { runCommand } from './run-command.ts';
import { findSecretKey } from './secret-key.ts';

const exitCodes: Readonly<Record<TrailResult, number>> = { unchanged: 0, changed: 1, unanchored: 2 };

/** `npm run audit:verify`: compares every entry of the audit trail with its seal (docs/operations.md). */
await runCommand(() => {
  const { values } = parseArgs({ options: { anchor: { type: 'string', multiple: true, default: [] } } });
  return async ({ settings, databases, tell }) => {
    const mac = createAuditMac(await findSecretKey({ given: settings.secrets.key, dataDir: settings.dataDir }));
    const file = createAnchorFile(settings.dataDir);
    process.exitCode = exitCodes[await verifyTrail({ db: databases.opsDb, mac, anchors: values.anchor, file, tell })];
  };
});

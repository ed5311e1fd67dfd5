import { parseArgs } from 'node:util';
import { createAuditMac } from './adapters/audit-mac.ts';
import { verifyTrail } from './features/audit/verify-trail.ts';
import { runCommand } from './run-command.ts';
import { findSecretKey } from './secret-key.ts';

/** `npm run audit:verify`: compares every entry of the audit trail with its seal (docs/operations.md). */
await runCommand(() => {
  const { values } = parseArgs({ options: { anchor: { type: 'string', multiple: true, default: [] } } });
  return async ({ settings, databases, tell }) => {
    const mac = createAuditMac(await findSecretKey({ given: settings.secrets.key, dataDir: settings.dataDir }));
    const isIntact = await verifyTrail({ db: databases.opsDb, mac, anchors: values.anchor, tell });
    if (!isIntact) process.exitCode = 1;
  };
});

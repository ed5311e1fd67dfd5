import { acknowledgeSealLoss, getAuditSeal, verifyAuditSeals } from '@switchyard/contract/audit-seals';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { acknowledgeLoss } from './seal-commands.ts';
import { createSealWatch, type WatchDependencies } from './watch-seals.ts';

type Dependencies = Omit<WatchDependencies, 'databases'> & { databases: WatchDependencies['databases'] & Pick<Databases, 'db'> };

/** Seals entries of the audit trail, verifies the seals, and answers what is known of them. */
export function createAuditSeals(deps: Dependencies): Feature & { countProblems: () => number | null } {
  const { db } = deps.databases;
  const seals = createSealWatch(deps);
  return {
    maintain: async () => seals.maintain(),
    countProblems: () => seals.countProblems(),
    bindRoutes(bind) {
      bind(getAuditSeal, async ({ caller }) => seals.stateFor(caller.scope));
      bind(verifyAuditSeals, async ({ caller }) => {
        seals.verify();
        return seals.stateFor(caller.scope);
      });
      bind(acknowledgeSealLoss, async (call) => {
        await acknowledgeLoss({ db, seals }, call);
        return seals.stateFor(call.caller.scope);
      });
    },
  };
}

import * as contract from '@switchyard/contract/bulk';
import type { Feature } from '../../http/bind.ts';
import type { JobWorker } from '../../jobs/job-queue.ts';
import {
  cancelBulkRun,
  checkBulk,
  getBlockedRequests,
  getBulkBelongings,
  getBulkRun,
  listBulkRows,
  listBulkRuns,
  startBulkRun,
  undoBulkRun,
  type BulkDependencies,
} from './bulk-commands.ts';
import { bulkQueue, cancelForgottenRuns, resumeRuns, runBulkJob } from './bulk-jobs.ts';
import { deleteOldRuns } from './bulk-store.ts';

/** Creates the calls and the worker of bulk changes of these entities. */
export function createBulk(deps: BulkDependencies): Feature & { worker: JobWorker } {
  return {
    bindRoutes(bind) {
      bind(contract.checkBulk, async (call) => checkBulk(deps, call));
      bind(contract.getBulkRun, async (call) => getBulkRun(deps, call));
      bind(contract.startBulkRun, async (call) => startBulkRun(deps, call));
      bind(contract.cancelBulkRun, async (call) => cancelBulkRun(deps, call));
      bind(contract.undoBulkRun, async (call) => undoBulkRun(deps, call));
      bind(contract.listBulkRows, async (call) => listBulkRows(deps, call));
      bind(contract.getBlockedRequests, async (call) => getBlockedRequests(deps, call));
      bind(contract.getBulkBelongings, async (call) => getBulkBelongings(deps, call));
      bind(contract.listBulkRuns, async (call) => listBulkRuns(deps, call));
    },
    worker: { queue: bulkQueue, run: async (data, signal) => runBulkJob(deps, data, signal) },
    // Runs are kept for a time, and jobs may be lost.
    async maintain() {
      await deleteOldRuns(deps.jobsDb, new Date(deps.now().getTime() - contract.bulkLimits.days * 86_400_000));
      await cancelForgottenRuns(deps);
      await resumeRuns(deps);
    },
  };
}

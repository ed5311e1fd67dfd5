import { addAppDomain, removeAppDomain } from '@switchyard/contract/app-domains';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { Feature } from '../../http/bind.ts';
import type { JobWorker } from '../../jobs/job-queue.ts';
import { changeLinkedDomain, linkApp, unlinkApp } from './link-commands.ts';
import { linkQueue, resumeLinks, runLinkJob, type LinkJobDependencies } from './link-jobs.ts';

/** Calls on links of app domains to traffic servers, and the jobs of these links. */
export type AppDomains = Feature & {
  worker: JobWorker;
  /** The commands on links, in a transaction under way. */
  commands: {
    link: (db: Databases['db'], call: Parameters<typeof linkApp>[1]) => Promise<unknown>;
    unlink: (db: Databases['db'], call: Parameters<typeof unlinkApp>[1]) => Promise<void>;
    changeDomain: (tx: OpenTransaction, call: Parameters<typeof changeLinkedDomain>[2]) => Promise<void>;
  };
};

/** Creates the calls and the worker of the jobs. */
export function createAppDomains(dependencies: LinkJobDependencies & { db: Databases['db'] }): AppDomains {
  const deps = { ...dependencies, stageSeconds: dependencies.provisioner.stageSeconds };
  return {
    bindRoutes(bind) {
      bind(addAppDomain, async (call) => linkApp(deps, call));
      bind(removeAppDomain, async (call) => unlinkApp(deps, call));
    },
    commands: {
      link: async (db, call) => linkApp({ ...deps, db }, call),
      unlink: async (db, call) => unlinkApp({ ...deps, db }, call),
      changeDomain: async (tx, call) => changeLinkedDomain(deps, tx, call),
    },
    worker: { queue: linkQueue, run: async (data, signal) => runLinkJob(deps, data, signal) },
    // Jobs may be lost.
    async maintain() {
      await resumeLinks(deps);
    },
  };
}

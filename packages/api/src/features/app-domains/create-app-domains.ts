import { addAppDomain, removeAppDomain } from '@switchyard/contract/app-domains';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import type { JobWorker } from '../../jobs/job-queue.ts';
import { linkApp, unlinkApp } from './link-app.ts';
import { linkQueue, resumeLinks, runLinkJob, type LinkJobDependencies } from './link-jobs.ts';

/** Links of app domains to traffic servers, and the jobs that bring them about (api [19], [20], O23). */
export type AppDomains = Feature & {
  worker: JobWorker;
  /** Takes up links whose jobs were lost. */
  maintain: () => Promise<void>;
};

/** Wires linking: its calls, the worker of its jobs, and what takes up links whose jobs were lost. */
export function createAppDomains(given: LinkJobDependencies & { db: Databases['db'] }): AppDomains {
  const deps = { ...given, stageSeconds: given.provisioner.stageSeconds };
  return {
    bindRoutes(bind) {
      bind(addAppDomain, async (call) => linkApp(deps, call));
      bind(removeAppDomain, async ({ params, caller, request }) => unlinkApp(deps, { id: params.id, caller, request }));
    },
    worker: { queue: linkQueue, run: async (data, signal) => runLinkJob(deps, data, signal) },
    async maintain() {
      await resumeLinks(deps);
    },
  };
}

import * as contract from '@switchyard/contract/schedules';
import { createEntity, readEntity, removeEntity, saveEntity } from '../../entities/entity-commands.ts';
import type { Feature } from '../../http/bind.ts';
import { resumeSchedules, runScheduleJob, scheduleQueue, type RunDependencies } from './run-schedules.ts';
import { leaveSchedule, sendSchedule, listAllSchedules, scheduleRules, type ScheduleDependencies } from './schedule-commands.ts';
import { deleteOldMails, listForeignSchedules, listOwnSchedules } from './schedules-store.ts';

/** Saved views that are mailed as files: the calls on schedules, and the worker that runs them. */
export function createSchedules(deps: ScheduleDependencies & RunDependencies): Feature {
  const rules = scheduleRules(deps);
  return {
    bindRoutes(bind) {
      bind(contract.listSchedules, async ({ caller }) => listOwnSchedules(deps.db, caller.account.id, null));
      bind(contract.listReceivedSchedules, async ({ caller }) =>
        listForeignSchedules(deps.db, { readerId: caller.account.id, isRecipient: true }),
      );
      bind(contract.sendSchedule, async (call) => sendSchedule(deps, call));
      bind(contract.leaveSchedule, async (call) => leaveSchedule(deps, call));
      bind(contract.listAllSchedules, async ({ caller }) => listAllSchedules(deps, caller));
      bind(contract.createSchedule, async (call) => createEntity(deps, rules, call));
      bind(contract.getSchedule, async (call) => readEntity(deps.db, rules, call));
      bind(contract.updateSchedule, async (call) => saveEntity(deps, rules, call));
      bind(contract.deleteSchedule, async (call) => removeEntity(deps, rules, call));
    },
    worker: { queue: scheduleQueue, run: async (data, signal) => runScheduleJob(deps, data, signal) },
    // Records of mails are kept for a time, and jobs may be lost.
    async maintain() {
      await deleteOldMails(deps.jobsDb, new Date(deps.now().getTime() - contract.scheduleLimits.days * 86_400_000));
      await resumeSchedules(deps);
    },
  };
}

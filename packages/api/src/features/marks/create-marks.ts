import * as contract from '@switchyard/contract/marks';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { appInScope } from '../apps/apps-lookup.ts';
import { createNote, deleteNote } from './note-commands.ts';
import { readMarks, type MarkDependencies } from './read-marks.ts';
import { readRevisionTraffic, type TrafficDependencies } from './revision-traffic.ts';

/** Marks of charts, notes, and the traffic around changes of apps. */
export function createMarks(deps: MarkDependencies & TrafficDependencies & { pools: Pick<Databases['pools'], 'ui'> }): Feature {
  return {
    bindRoutes(bind) {
      bind(contract.listMarks, async (call) => readMarks(deps, call));
      bind(contract.createNote, async (call) => createNote(deps, call));
      bind(contract.deleteNote, async (call) => deleteNote(deps, call));
      bind(contract.getRevisionTraffic, async (call) => readRevisionTraffic(deps, call), { requireEntity: appInScope(deps.pools) });
    },
  };
}

import * as contract from '@switchyard/contract/dashboard';
import type { Feature } from '../../http/bind.ts';
import { createReadDashboard } from './read-dashboard.ts';
import { createTile, deleteTile, orderTiles, updateTile, type CommandDependencies } from './tile-commands.ts';
import type { ResultDependencies } from './tile-results.ts';

/** Saved reports on Home. */
export function createDashboard(deps: CommandDependencies & ResultDependencies): Feature {
  const read = createReadDashboard(deps);
  return {
    bindRoutes(bind) {
      // It takes its slots itself, because it holds none while it waits for reports.
      bind(contract.getDashboard, async ({ caller, query }) => read(caller, query.id), { slots: 'none' });
      bind(contract.createTile, async (call) => createTile(deps, call));
      bind(contract.updateTile, async (call) => updateTile(deps, call));
      bind(contract.deleteTile, async (call) => deleteTile(deps, call));
      bind(contract.orderTiles, async (call) => orderTiles(deps, call));
    },
  };
}

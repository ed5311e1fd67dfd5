import * as boards from '@switchyard/contract/boards';
import * as contract from '@switchyard/contract/dashboard';
import type { Feature } from '../../http/bind.ts';
import { createBoard, deleteBoard, updateBoard } from './board-commands.ts';
import { listVisibleBoards } from './boards-store.ts';
import { createReadDashboard } from './read-dashboard.ts';
import { createTile, deleteTile, startDashboard, updateLayout, updateTile, type CommandDependencies } from './tile-commands.ts';
import type { ResultDependencies } from './tile-results.ts';

/** Reports on Home and on boards by name. */
export function createDashboard(deps: CommandDependencies & ResultDependencies): Feature {
  const read = createReadDashboard(deps);
  return {
    bindRoutes(bind) {
      // It takes its slots itself, because it holds none while it waits for reports.
      bind(
        contract.getDashboard,
        async ({ caller, query }) => read(caller, { ids: query.id, boardId: query.board, filters: query.filters }),
        {
          slots: 'none',
        },
      );
      bind(contract.createTile, async (call) => createTile(deps, call));
      bind(contract.updateTile, async (call) => updateTile(deps, call));
      bind(contract.deleteTile, async (call) => deleteTile(deps, call));
      bind(contract.updateLayout, async (call) => updateLayout(deps, call));
      bind(contract.startDashboard, async (call) => startDashboard(deps, call));
      bind(boards.listBoards, async ({ caller }) => listVisibleBoards(deps.db, caller));
      bind(boards.createBoard, async (call) => createBoard(deps, call));
      bind(boards.updateBoard, async (call) => updateBoard(deps, call));
      bind(boards.deleteBoard, async (call) => deleteBoard(deps, call));
    },
  };
}

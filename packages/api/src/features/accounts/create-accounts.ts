import * as activity from '@switchyard/contract/account-activity';
import { passwordError } from '@switchyard/contract/account-rules';
import * as ownSessions from '@switchyard/contract/own-sessions';
import { createAddressLimit } from '../../address-limit.ts';
import type { Feature } from '../../http/bind.ts';
import { endAccountSession, listAccountPermissions, listAccountSessions } from './account-activity.ts';
import { bindBuyers } from './bind-buyers.ts';
import { bindUsers } from './bind-users.ts';
import { changeOwnPassword, type SaveDependencies } from './save-account.ts';

/** Rate limit of password checks for one address; the window is in milliseconds. */
const checks = { calls: 60, window: 60_000 };

/**
 * Staff accounts and buyers: their lists, one to create, read, change and delete, its access, apps, streams, permissions
 * and sessions (api 6, 7), and everybody's own password. After `idleMinutes` without a call a session is over.
 */
export function createAccounts(deps: SaveDependencies & { idleMinutes: number }): Feature {
  const admitCheck = createAddressLimit({ ...checks, now: deps.now });
  return {
    bindRoutes(bind) {
      bindUsers(bind, deps);
      bindBuyers(bind, deps);
      bind(activity.listAccountSessions, async ({ params, caller }) => listAccountSessions(deps, { id: params.id, caller }));
      bind(activity.endAccountSession, async ({ params, caller, request }) => endAccountSession(deps, { ...params, caller, request }));
      bind(ownSessions.changeOwnPassword, async (call) => changeOwnPassword(deps, call));
      bind(ownSessions.checkPassword, async ({ body: { password, email }, request }) => {
        admitCheck(request.ip);
        return { error: passwordError(password) ?? deps.passwordPolicy.error(password, email) };
      });
      bind(activity.listAccountPermissions, async ({ params }) => listAccountPermissions(deps, params.id));
    },
  };
}

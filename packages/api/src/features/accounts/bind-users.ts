import * as contract from '@switchyard/contract/users';
import { FieldErrors } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import { toAccount, toAccountRow, toEither } from './account-mapper.ts';
import { listAccounts, listStaffToPick } from './accounts-read-model.ts';
import { changeAccountApps } from './change-account-apps.ts';
import { createAccount, deleteAccount, saveAccount, type SaveDependencies } from './save-account.ts';
import { showAccount } from './show-account.ts';
import { switchAccess } from './switch-access.ts';

const panel = 'user';

/** Calls on staff accounts, and those on the apps of accounts of either panel (api 6). */
export function bindUsers(bind: Bind, deps: SaveDependencies): void {
  bind(contract.listUsers, async ({ caller }) =>
    (await listAccounts(deps.db, { panel })).map((stored) => toAccountRow(stored, caller.scope)),
  );
  bind(contract.listPickUsers, async () => listStaffToPick(deps.db));
  bind(contract.createUser, async ({ body, caller, request }) =>
    toAccount(await createAccount(deps, { panel, body, caller, request, needs: contract.createUser.access.anyOf })),
  );
  bind(contract.getUser, async ({ params, caller }) => toAccount(await showAccount(deps.db, { id: params.id, panel, caller })));
  bind(contract.saveUser, async ({ params, ...call }) =>
    toAccount(await saveAccount(deps, { id: params.id, panel, ...call, needs: contract.saveUser.access.anyOf })),
  );
  bind(contract.deleteUser, async ({ params, caller, request }) =>
    deleteAccount(deps, { id: params.id, panel, caller, request, needs: contract.deleteUser.access.anyOf }),
  );
  bind(contract.switchUserAccess, async ({ params, body, caller, request }) => {
    const call = { id: params.id, panel, caller, request, needs: contract.switchUserAccess.access.anyOf } as const;
    return toAccount(await switchAccess(deps, { ...call, hasAccess: body }));
  });
  bind(contract.attachApps, async ({ params, body, caller, request }) => {
    const call = { id: params.id, caller, request, needs: contract.attachApps.access.anyOf };
    return toEither(await changeAccountApps(deps, { ...call, kind: 'add', ids: body.appIds }));
  });
  bind(contract.detachApps, async ({ params, query, body, caller, request }) => {
    const ids = body.appIds ?? query.appIds;
    if (ids === undefined) throw new FieldErrors({ appIds: ['The appIds field is required.'] });
    const call = { id: params.id, caller, request, needs: contract.detachApps.access.anyOf };
    return toEither(await changeAccountApps(deps, { ...call, kind: 'remove', ids }));
  });
  bind(contract.syncApps, async ({ params, body, caller, request }) => {
    const call = { id: params.id, caller, request, needs: contract.syncApps.access.anyOf };
    return toEither(await changeAccountApps(deps, { ...call, kind: 'set', ids: body.appIds }));
  });
}

import * as contract from '@switchyard/contract/buyers';
import { pageForm } from '@switchyard/contract/envelope';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import type { Bind } from '../../http/bind.ts';
import { coversApps } from '../access-rules/app-rules-lookup.ts';
import { toBuyer, toBuyerRow } from './account-mapper.ts';
import { listAccounts } from './accounts-read-model.ts';
import { listBuyerStreams } from './buyer-streams-read-model.ts';
import { createAccount, deleteAccount, saveAccount, type SaveDependencies } from './save-account.ts';
import { showAccount } from './show-account.ts';
import { switchAccess } from './switch-access.ts';

const panel = 'buyer';
const viewAllStreams = permissionCatalogue.find(({ label }) => label === 'buyer_stream_view_all')?.id ?? 0;

/** Calls on buyers (api 7). */
export function bindBuyers(bind: Bind, deps: SaveDependencies): void {
  bind(contract.listBuyers, async ({ caller }) =>
    (await listAccounts(deps.db, { panel })).map((stored) => toBuyerRow(stored, caller.scope)),
  );
  bind(contract.listReadOnlyBuyers, async ({ caller: { scope } }) => {
    if (scope === 'all') return [];
    const stored = await listAccounts(deps.db, { panel });
    return stored.filter(({ appIds }) => !coversApps(scope, appIds)).map(({ id }) => id);
  });
  bind(contract.createBuyer, async ({ body, caller, request }) =>
    toBuyer(await createAccount(deps, { panel, body, caller, request, needs: contract.createBuyer.access.anyOf })),
  );
  bind(contract.getBuyer, async ({ params, caller }) => toBuyer(await showAccount(deps.db, { id: params.id, panel, caller })));
  bind(contract.saveBuyer, async ({ params, ...call }) =>
    toBuyer(await saveAccount(deps, { id: params.id, panel, ...call, needs: contract.saveBuyer.access.anyOf })),
  );
  bind(contract.deleteBuyer, async ({ params, caller, request }) =>
    deleteAccount(deps, { id: params.id, panel, caller, request, needs: contract.deleteBuyer.access.anyOf }),
  );
  bind(contract.switchBuyerAccess, async ({ params, body, caller, request }) => {
    const call = { id: params.id, panel, caller, request, needs: contract.switchBuyerAccess.access.anyOf } as const;
    return toBuyer(await switchAccess(deps, { ...call, hasAccess: body }));
  });
  bind(contract.listBuyerStreams, async ({ params, query, caller }) => {
    const { stored } = await showAccount(deps.db, { id: params.userId, panel, caller });
    const seesAll = stored.roles.some((role) => role.permissionIds.includes(viewAllStreams));
    const { rows, total } = await listBuyerStreams(deps.db, { buyerId: stored.id, seesAll, scope: caller.scope, ...query });
    return { rows, pagination: pageForm({ total, count: rows.length, ...query }) };
  });
}

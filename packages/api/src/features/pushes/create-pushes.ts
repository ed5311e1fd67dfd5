import { pageForm } from '@switchyard/contract/envelope';
import { listPushes } from '@switchyard/contract/pushes';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import type { PushStore } from '../../traffic-store/push-store.ts';
import { readTimeRange } from '../../traffic-store/read-time-range.ts';
import { requireAppInScope } from '../apps/app-in-scope-lookup.ts';

/** The Push tab: pushes of one app (api [29]). */
export function createPushes(deps: { db: Databases['db']; pushStore: Pick<PushStore, 'listPushes'>; serverOffset: string }): Feature {
  return {
    bindRoutes(bind) {
      bind(listPushes, async ({ params, query, caller }) => {
        await requireAppInScope(deps.db, { id: params.id, scope: caller.scope });
        const { uid, pushCampaignUid: campaignUid, pushId, orderBy, orderDirection, page, limit } = query;
        const filter = { appId: params.id, uid, campaignUid, pushId, ...readTimeRange(query, deps.serverOffset) };
        const { rows, total } = await deps.pushStore.listPushes({ filter, orderBy, orderDirection, page, limit });
        return { rows, pagination: pageForm({ total, count: rows.length, limit, page }) };
      });
    },
  };
}

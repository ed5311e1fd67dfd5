import * as contract from '@switchyard/contract/conversions';
import { pageForm } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import type { ConversionStore } from '../../traffic-store/conversion-store.ts';
import { readTimeRange } from '../../traffic-store/read-time-range.ts';
import { requireAppInScope } from '../apps/app-in-scope-lookup.ts';

type Deps = { db: Databases['db']; conversionStore: Pick<ConversionStore, 'listConversions' | 'conversionValues'>; serverOffset: string };

/** The Conversion tab: conversions of one app, and what its two filters offer (api [30]-[32]). */
export function createConversions(deps: Deps): Feature {
  return {
    bindRoutes(bind) {
      bind(contract.listConversions, async ({ params, query, caller }) => {
        await requireAppInScope(deps.db, { id: params.id, scope: caller.scope });
        const { streamUid, clientUid, statusConversion, status, isSend, orderBy, orderDirection, page, limit } = query;
        const range = readTimeRange(query, deps.serverOffset);
        const filter = { appId: params.id, streamUid, clientUid, statusConversion, status, isSend, ...range };
        const { rows, total } = await deps.conversionStore.listConversions({ filter, orderBy, orderDirection, page, limit });
        return { rows, pagination: pageForm({ total, count: rows.length, limit, page }) };
      });
      bind(contract.listConversionKinds, async ({ caller }) =>
        asOptions(await deps.conversionStore.conversionValues('status_conversion', caller.scope)),
      );
      bind(contract.listConversionStatuses, async ({ caller }) => {
        const stored = await deps.conversionStore.conversionValues('status', caller.scope);
        return asOptions([...new Set([...contract.conversionStatuses, ...stored])]);
      });
    },
  };
}

function asOptions(values: readonly string[]): { name: string; uid: string }[] {
  return values.map((value) => ({ name: value, uid: value }));
}

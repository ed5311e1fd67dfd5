import { saveApp as saveCall, saveAppBody } from '@switchyard/contract/app-form';
import { responseEntries, responseParts } from '@switchyard/contract/app-rules';
import { wireDate } from '@switchyard/contract/dates';
import { appHistory, historyRemarks } from '@switchyard/contract/history';
import { notFound } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import { listBuyers } from '../accounts/buyers-lookup.ts';
import { asRecorded, bindHistory, type HistoryDependencies, knownOf, saveCallOf, type HistorySource } from '../history/history-lookup.ts';
import { saveApp, type AppDependencies } from './app-commands.ts';
import { toSettings } from './app-mapper.ts';
import { auditFields } from './app-settings.ts';
import { findApp } from './apps-store.ts';

/** Binds the calls on the history of apps. */
export function bindAppHistory(bind: Bind, deps: AppDependencies & HistoryDependencies): void {
  bindHistory(bind, deps, appHistory, {
    entity: 'app',
    schema: saveAppBody,
    bodyOf,
    findObstacles: () => ({ deleted_at: historyRemarks.archived }),
    async read(db, { id, caller }) {
      const app = await findApp(db, id, caller.scope);
      if (!app) throw notFound();
      const { 'keys.apiSecret': _secret, ...fields } = auditFields(toSettings(app, () => null));
      const buyerIds = new Set<unknown>((await listBuyers(db)).map((buyer) => buyer.id));
      return {
        version: app.row.version,
        fields: { ...fields, deleted_at: wireDate(app.row.deleted_at) },
        adapt(field, recorded) {
          const { value } = recorded;
          if (field !== 'userIds' || !Array.isArray(value)) return asRecorded(field, recorded);
          return knownOf(value, buyerIds, historyRemarks.deletedBuyers);
        },
      };
    },
    save: async (input) => saveApp(deps, saveCallOf(input, { schema: saveAppBody, needs: saveCall.access.anyOf })),
  });
}

const bodyOf: HistorySource['bodyOf'] = (values, present) => {
  const body: Record<string, unknown> = {};
  const keys: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    if (field.startsWith('keys.')) keys[field.slice('keys.'.length)] = value;
    else if (!field.startsWith('response_message.')) body[field] = value;
  }
  const messages = responseEntries.flatMap((entry) => {
    const parts = responseParts.filter((part) => Object.hasOwn(values, `response_message.${entry}.${part}`));
    const pairs = parts.map((part) => [part, values[`response_message.${entry}.${part}`]]);
    return parts.length === 0 ? [] : [[entry, Object.fromEntries(pairs)]];
  });
  // A response mode without an address would remove the address.
  if (Object.hasOwn(body, 'response_mode') && !Object.hasOwn(body, 'proxy_api_url')) body['proxy_api_url'] = present['proxy_api_url'];
  return {
    ...body,
    ...(Object.keys(keys).length === 0 ? {} : { keys }),
    ...(messages.length === 0 ? {} : { response_message: Object.fromEntries(messages) }),
  };
};

import { asnsQuery } from '@switchyard/contract/asns';
import { blockedDays, type BulkChange } from '@switchyard/contract/bulk';
import { holdsAny } from '@switchyard/contract/permissions';
import { numberKeys, numbersOf, parseFilter, type BulkEntity } from '../../bulk-rows.ts';
import { banAsns } from './asn-commands.ts';
import { listMatchingCodes, lockAsns } from './asns-store.ts';
import { lastDays, type AsnTrafficDeps } from './read-asn-traffic.ts';
import { findBanReasons } from './registry-lookup.ts';

/** Bulk changes of autonomous systems, by the command that changes a single one. */
export function createBulkAsns(deps: Pick<AsnTrafficDeps, 'eventStore' | 'now' | 'serverOffset'>): BulkEntity {
  return {
    name: 'asn',
    listKeys: async (db, target) => (await listMatchingCodes(db, parseFilter(asnsQuery, target))).map(String),
    ...numberKeys,
    async lockRows(tx, { keys }) {
      const asns = await lockAsns(tx, numbersOf(keys));
      const reasons = await findBanReasons(tx, numbersOf(keys));
      return new Map(
        asns.map((asn) => {
          const reason = reasons.get(asn.code) ?? '';
          return [
            String(asn.code),
            {
              label: `AS${asn.code} ${asn.name}`,
              // Without a reason the text is that of runs before there were reasons, which can be undone still.
              state: `create ${asn.is_ban_create}; receive ${asn.is_ban_receive}${reason === '' ? '' : `; ${reason}`}`,
              inverseOf(change) {
                const { isBanCreate, isBanReceive } = bansOf(change);
                const params = {
                  ...(isBanCreate === undefined ? {} : { isBanCreate: asn.is_ban_create }),
                  ...(isBanReceive === undefined ? {} : { isBanReceive: asn.is_ban_receive }),
                  reason,
                };
                return { action: 'asn.ban', params };
              },
            },
          ];
        }),
      );
    },
    async applyAll(tx, rows, call) {
      await banAsns(
        tx,
        rows.map(({ key, change }) => ({ ...bansOf(change), code: Number(key) })),
        call,
      );
    },
    async countBlocked(change, { account, scope }) {
      const { isBanCreate, isBanReceive } = bansOf(change);
      const types = [...(isBanCreate === true ? (['create'] as const) : []), ...(isBanReceive === true ? (['receive'] as const) : [])];
      if (types.length === 0 || !holdsAny(account.permissions, ['manager_app_all_requests'])) return null;
      const { span } = lastDays(deps, blockedDays);
      const { eventStore } = deps;
      const { values } = await eventStore.findTopValues({ filter: { scope, types, ...span }, field: 'asn', limit: null });
      return {
        byKey: new Map(values.map(({ value, count }) => [value, count])),
        countAll: async () => ({
          all: await eventStore.countEvents({ scope, ...span }),
          unknown: await eventStore.countEvents({ scope, asns: [''], ...span }),
        }),
      };
    },
  };
}

function bansOf(change: BulkChange) {
  if (change.action !== 'asn.ban') throw new Error(`Bulk run: no change of autonomous systems (${change.action})`);
  return change.params;
}

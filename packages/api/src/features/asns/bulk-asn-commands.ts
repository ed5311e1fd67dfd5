import { asnsQuery } from '@switchyard/contract/asns';
import { byNumber, numbersOf, parseFilter, type BulkEntity } from '../../bulk-rows.ts';
import { banAsn } from './asn-commands.ts';
import { listMatchingCodes, lockAsns } from './asns-store.ts';

/** Bulk changes of autonomous systems: each row is changed by the command of a single one. */
export function createBulkAsns(): BulkEntity {
  return {
    name: 'asn',
    listKeys: async (db, filter) => (await listMatchingCodes(db, parseFilter(asnsQuery, filter))).map(String),
    compareKeys: byNumber,
    async lockRows(tx, { keys }) {
      const asns = await lockAsns(tx, numbersOf(keys));
      return new Map(
        asns.map((asn) => [
          String(asn.code),
          {
            label: `AS${asn.code} ${asn.name}`,
            state: `create ${asn.is_ban_create}; receive ${asn.is_ban_receive}`,
            async apply(db, change, call) {
              if (change.action !== 'asn.ban') throw new Error(`Bulk run: no change of autonomous systems (${change.action})`);
              await banAsn(db, { ...call, params: { asn: asn.code }, body: change.params });
            },
            inverseOf(change) {
              if (change.action !== 'asn.ban') return null;
              const { isBanCreate, isBanReceive } = change.params;
              const params = {
                ...(isBanCreate === undefined ? {} : { isBanCreate: asn.is_ban_create }),
                ...(isBanReceive === undefined ? {} : { isBanReceive: asn.is_ban_receive }),
              };
              return { action: 'asn.ban', params };
            },
          },
        ]),
      );
    },
  };
}

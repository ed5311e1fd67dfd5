import { blackIpsQuery } from '@switchyard/contract/black-ips';
import { bulkMessages, type BulkChange } from '@switchyard/contract/bulk';
import { canonicalIp } from '@switchyard/contract/ip-address';
import { parseFilter, type BulkEntity } from '../../bulk-rows.ts';
import type { AccountCall } from '../../http/bind.ts';
import { transaction, unaudited, type OpenTransaction } from '../../database/transaction.ts';
import { conflict } from '../../errors.ts';
import { addBlackIps, removeBlackIp } from './black-ip-commands.ts';
import { listMatchingIps, lockIps } from './black-ips-store.ts';

/** Bulk changes of the black list: each address is added or removed by the command of a single one. */
export function createBulkBlackIps({ now }: { now: () => Date }): BulkEntity {
  return {
    name: 'black_ip',
    listKeys: async (db, filter) => listMatchingIps(db, parseFilter(blackIpsQuery, filter)),
    canonicalKey: (key) => canonicalIp(key) ?? key,
    keyProblem: (key) => (canonicalIp(key) === null ? bulkMessages.malformedAddress : null),
    // As the list is locked by those who add addresses.
    compareKeys: (one, other) => (one < other ? -1 : Number(one > other)),
    async lockRows(tx, { keys }) {
      // An address that is on no list can be added, so every address is a row.
      const ips = keys.filter((key) => canonicalIp(key) === key);
      const reasons = await lockIps(tx, ips);
      return new Map(
        ips.map((ip) => {
          const reason = reasons.get(ip);
          const row = {
            label: ip,
            state: reason === undefined ? 'not listed' : `listed: ${reason}`,
            async apply(db: OpenTransaction, change: BulkChange, call: AccountCall) {
              if (change.action === 'black_ip.delete') {
                if (reason !== undefined) await removeBlackIp(db, { ...call, params: { ip } });
                return;
              }
              if (change.action !== 'black_ip.add') throw new Error(`Bulk run: no change of the black list (${change.action})`);
              if (reason === change.params.reason) return;
              await transaction(db, async (savepoint) => {
                const { updated } = await addBlackIps(
                  { db: savepoint, now },
                  { ...call, body: { ips: [ip], reason: change.params.reason } },
                );
                // An address that is on no list cannot be locked, so somebody may have added it meanwhile.
                if (reason === undefined && updated > 0) throw conflict(bulkMessages.changedSinceCheck);
                return unaudited('each address has its entry', undefined);
              });
            },
            inverseOf: (): BulkChange =>
              reason === undefined ? { action: 'black_ip.delete', params: {} } : { action: 'black_ip.add', params: { reason } },
          };
          return [ip, row];
        }),
      );
    },
  };
}

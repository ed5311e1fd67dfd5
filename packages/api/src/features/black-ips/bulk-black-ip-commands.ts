import { blackListQuery } from '@switchyard/contract/black-list-query';
import { readBlackListEntry } from '@switchyard/contract/black-list-entry';
import { bulkMessages, type BulkChange } from '@switchyard/contract/bulk';
import { parseFilter, type BulkEntity } from '../../bulk-rows.ts';
import type { AccountCall } from '../../http/bind.ts';
import { transaction, unaudited, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, FieldErrors } from '../../errors.ts';
import { addBlackListEntries, expiryOf, removeEntry, writeEntries, type BlackListDeps } from './black-list-commands.ts';
import { listMatchingEntries, lockEntries, type StoredEntry } from './black-list-store.ts';
import { createNetworkProtection } from './protected-lookup.ts';

/** Bulk changes of the black list: each entry is added or removed by the command of a single one. */
export function createBulkBlackIps({ now, protection }: Omit<BlackListDeps, 'db'>): BulkEntity {
  const protectedReason = createNetworkProtection(protection);
  return {
    name: 'black_ip',
    listKeys: async (db, target) => {
      const { page: _page, limit: _limit, ...filters } = parseFilter(blackListQuery, target);
      return listMatchingEntries(db, filters, now());
    },
    canonicalKey: (key) => entryOf(key) ?? key,
    keyProblem: (key) => (entryOf(key) === null ? bulkMessages.malformedAddress : null),
    // As the list is locked by those who add entries.
    compareKeys: (one, other) => Number(one.includes('/')) - Number(other.includes('/')) || (one < other ? -1 : Number(one > other)),
    async lockRows(tx, { keys }) {
      // An entry that is not on the list can be added, so every entry is a row.
      const entries = keys.filter((key) => entryOf(key) === key);
      const stored = await lockEntries(tx, entries, now());
      return new Map(
        entries.map((entry) => {
          const before = stored.get(entry);
          const row = {
            label: entry,
            state: stateOf(before),
            async apply(db: OpenTransaction, change: BulkChange, call: AccountCall) {
              if (change.action === 'black_ip.delete') {
                if (before !== undefined) await removeEntry({ db, now }, entry, call);
                return;
              }
              if (change.action !== 'black_ip.add') throw new Error(`Bulk run: no change of the black list (${change.action})`);
              const { reason, source = '', expires_at: expiresAt } = change.params;
              if (stateOf(before) === stateOf({ reason, source, expiresAt: expiresAt === undefined ? null : new Date(expiresAt) })) return;
              await transaction(db, async (savepoint) => {
                const { updated } = await add(savepoint, entry, { ...call, body: { reason, source, expires_at: expiresAt } });
                // An entry that is not on the list cannot be locked, so somebody may have added it meanwhile.
                if (before === undefined && updated > 0) throw conflict(bulkMessages.changedSinceCheck);
                return unaudited('each entry has its own', undefined);
              });
            },
            inverseOf: (): BulkChange => {
              if (before === undefined) return { action: 'black_ip.delete', params: {} };
              const { reason, source, expiresAt } = before;
              const params = { reason, ...(source === '' ? {} : { source }), ...(expiresAt && { expires_at: expiresAt.toISOString() }) };
              return { action: 'black_ip.add', params };
            },
          };
          return [entry, row];
        }),
      );
    },
  };

  /** Addresses of the console, traffic servers and the caller are added as by [87], which only warns of them. Throws 422 for other protected ones. */
  async function add(
    db: OpenTransaction,
    entry: string,
    call: AccountCall & { body: { reason: string; source: string; expires_at: string | undefined } },
  ) {
    const { reason, source, expires_at: at } = call.body;
    if (entry.includes('/')) return addBlackListEntries({ db, now, protection }, { ...call, body: { ...call.body, entries: [entry] } });
    const problem = protectedReason(entry);
    if (problem !== null) throw new FieldErrors({ entries: [`${problem}.`] });
    return writeEntries({ db, now }, { entries: [entry], reason, source, expiresAt: expiryOf({ expires_at: at }, now()) }, call);
  }
}

/** What the list says about an entry, as a text that is equal for equal ones. */
function stateOf(stored: StoredEntry | undefined): string {
  if (stored === undefined) return 'not listed';
  const { reason, source, expiresAt } = stored;
  return `listed: ${reason}${source === '' && expiresAt === null ? '' : ` ${JSON.stringify({ source, expiresAt })}`}`;
}

function entryOf(text: string): string | null {
  const result = readBlackListEntry(text);
  return 'entry' in result ? result.entry : null;
}

import { coalesce } from '../../overload/coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import { isStorageFull } from '@switchyard/traffic-store/database-errors';
import { unauditedStatement } from '../../database/transaction.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';

/** The connections for callers. */
type Pool = Databases['pools']['sessions'];

/**
 * Finds the row of a credential by its token. `$1` of the statement is an array of hashes; `values` gives the other parameters. Concurrent lookups share a
 * query, which begins after their calls, and nothing is cached: a revoked credential is unknown from the next call on.
 */
export function createCredentialLookup<Row extends { token_hash: Buffer }>(
  pool: Pool,
  { name, text, values = () => [] }: { name: string; text: string; values?: () => readonly unknown[] },
): (token: string) => Promise<Row | undefined> {
  const lookUp = coalesce(async (hashes: readonly string[]) => {
    const distinct = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'));
    const { rows } = await pool.query<Row>({ name, text, values: [distinct, ...values()] });
    return new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
  });
  return async (token) => {
    const hash = tokenHash(token).toString('hex');
    return (await lookUp(hash)).get(hash);
  };
}

/**
 * Writes that credentials were used, in batches with one use of each; nothing while the storage is full. The statement has to
 * skip rows that another process has locked, so that batches neither wait for each other nor deadlock.
 */
export function createUseWriter<Use extends { id: number }>(
  pool: Pool,
  { name, text, values }: { name: string; text: string; values: (uses: readonly Use[]) => unknown[] },
): (use: Use) => Promise<void> {
  return coalesce(async (uses: readonly Use[]) => {
    const distinct = [...new Map(uses.map((use) => [use.id, use])).values()];
    await unauditedStatement('the last use of a credential is no change by anybody', pool)
      .query({ name, text, values: values(distinct) })
      .catch((error: unknown) => {
        if (!isStorageFull(error)) throw error;
      });
  });
}

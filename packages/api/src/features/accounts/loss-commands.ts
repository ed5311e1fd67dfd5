import type { dismissLosses as dismissCall } from '@switchyard/contract/losses';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited } from '../../database/transaction.ts';
import type { Call } from '../../http/bind.ts';
import { deleteLosses } from './losses-store.ts';

/** Forgets losses that the caller has seen; those of other accounts stay. */
export async function dismissLosses({ db }: { db: Databases['db'] }, { caller, body }: Call<typeof dismissCall>): Promise<void> {
  await transaction(db, async (tx) => {
    await deleteLosses(tx, caller.account.id, body.ids);
    return unaudited('what a reader has seen concerns them alone', undefined);
  });
}

import { listBuyerStreams } from '@switchyard/contract/buyers';
import { pageForm } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { seesAllStreams } from '../accounts/buyers-lookup.ts';
import { listStreamsOfBuyer } from './streams-read-model.ts';

/** Streams, which traffic servers report, as the console shows them. */
export function createStreams({ db }: Pick<Databases, 'db'>): Feature {
  return {
    bindRoutes(bind) {
      bind(listBuyerStreams, async ({ params: { userId: buyerId }, query, caller: { scope } }) => {
        const seesAll = await seesAllStreams(db, buyerId);
        const { rows, total } = await listStreamsOfBuyer(db, { buyerId, seesAll, scope, ...query });
        return { rows, pagination: pageForm({ total, count: rows.length, ...query }) };
      });
    },
  };
}

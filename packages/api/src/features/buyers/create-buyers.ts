import { listPickBuyers } from '@switchyard/contract/pick-lists';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { listBuyers } from './buyers-lookup.ts';

/** Accounts of the buyer panel (api 7). */
export function createBuyers({ db }: { db: Databases['db'] }): Feature {
  return {
    bindRoutes(bind) {
      bind(listPickBuyers, async () => listBuyers(db));
    },
  };
}

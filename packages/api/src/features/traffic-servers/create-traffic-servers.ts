import { listPickServers } from '@switchyard/contract/pick-lists';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { listServersToPick } from './servers-read-model.ts';

/** Traffic servers (api 8). */
export function createTrafficServers({ db }: { db: Databases['db'] }): Feature {
  return {
    bindRoutes(bind) {
      bind(listPickServers, async () => listServersToPick(db));
    },
  };
}

import { getRequest, requestMessages } from '@switchyard/contract/request-by-id';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { findBlocks } from './blocks-lookup.ts';
import { addOrigin } from './origin-lookup.ts';

type Deps = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'findEvent' | 'findOldestId'>;
  retentionDays: number;
  now: () => Date;
};

/** Calls that follow one request, and what the console knows about it. */
export function createRequestById({ db, eventStore, retentionDays, now }: Deps): Feature {
  return {
    bindRoutes(bind) {
      bind(getRequest, async ({ params: { id }, caller }) => {
        const event = await eventStore.findEvent({ id, scope: caller.scope });
        const [request] = await addOrigin(db, event === null ? [] : [event]);
        if (request === undefined) throw notFound(await absenceOf(id));
        const { permissions } = caller.account;
        const blocks = await findBlocks(db, new Map([[request.ip, request.asn]]), { permissions, now: now() });
        return { ...request, blocked_by: blocks.get(request.ip) ?? [] };
      });
    },
  };

  /** Ids ascend with arrival, so one before all stored ones is of a request that retention has dropped. */
  async function absenceOf(id: number): Promise<string> {
    const oldest = await eventStore.findOldestId();
    return oldest !== null && id < oldest ? requestMessages.older(retentionDays) : requestMessages.notFound;
  }
}

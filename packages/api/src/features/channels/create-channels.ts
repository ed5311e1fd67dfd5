import * as contract from '@switchyard/contract/channels';
import { visibleKinds } from '@switchyard/contract/alerts';
import { cursorForm, pageForm } from '@switchyard/contract/envelope';
import type { Announce } from '../../announcement.ts';
import type { Databases } from '../../database/connect.ts';
import { readEntity } from '../../entities/entity-commands.ts';
import { notFound } from '../../errors.ts';
import type { Call, Feature } from '../../http/bind.ts';
import type { KeepMail } from '../../mails/kept-mail.ts';
import { createAnnounce } from './announce.ts';
import {
  channelRules,
  createChannel,
  deleteChannel,
  readChannelRules,
  readChannelSchedules,
  resendMessage,
  rotateSecret,
  saveChannel,
  testChannel,
  type ChannelDependencies,
} from './channel-commands.ts';
import { toChannel, toChannelMessage } from './channel-mapper.ts';
import { findChannel, listCountedChannels } from './channels-store.ts';
import { openLists } from '../saved-views/saved-views-lookup.ts';
import { createDelivery, type DeliveryDependencies } from './deliver-messages.ts';
import { deleteBeyondInbox, listInboxPage } from './inbox-store.ts';
import { createKeepMail } from './keep-mail.ts';
import { deleteOldMessages, listMessagesPage, updateAheadOfTime } from './messages-store.ts';

/** Destinations for messages. */
export type Channels = Feature & {
  /** Leaves messages behind in the transaction of what they are about. */
  announce: Announce;
  /** Keeps mails in the inbox of the demo. */
  keepMail: KeepMail;
};

/** Creates the calls on channels, and what brings messages out. */
export function createChannels(deps: ChannelDependencies & DeliveryDependencies & { jobsDb: Databases['jobsDb'] }): Channels {
  const { db, jobsDb, now } = deps;
  const delivery = createDelivery(deps);
  const rules = channelRules(deps, null);

  async function listMessages({ params: { id }, query: { cursor, limit, state } }: Call<typeof contract.listMessages>) {
    if (!(await findChannel(db, id))) throw notFound();
    const { rows, hasMore } = await listMessagesPage(db, { channelId: id, states: state ?? null, before: readCursor(cursor), limit });
    const last = rows.at(-1);
    const next = hasMore && last ? String(last.id) : null;
    return { rows: rows.map(toChannelMessage), pagination: cursorForm({ count: rows.length, limit, previous: null, next }) };
  }

  return {
    bindRoutes(bind) {
      bind(contract.listChannels, async () => (await listCountedChannels(db, null)).map(toChannel));
      bind(contract.createChannel, async (call) => createChannel(deps, call));
      bind(contract.getChannel, async (call) => readEntity(db, rules, call));
      bind(contract.updateChannel, async (call) => saveChannel(deps, call));
      bind(contract.deleteChannel, async (call) => deleteChannel(deps, call));
      bind(contract.listChannelRules, async (call) => readChannelRules(deps, call));
      // Waits for the receiver, not for the database.
      bind(contract.testChannel, async (call) => testChannel(deps, call), { slots: 'none' });
      bind(contract.rotateChannelSecret, async (call) => rotateSecret(deps, call));
      bind(contract.listMessages, listMessages);
      bind(contract.resendMessage, async (call) => resendMessage(deps, call));
      bind(contract.listChannelSchedules, async (call) => readChannelSchedules(deps, call));
      bind(contract.listInbox, async ({ query, caller: { account } }) => {
        const reader = { kinds: visibleKinds(account.permissions), lists: openLists(account) };
        const { rows, total } = await listInboxPage(db, reader, query);
        return { rows, pagination: pageForm({ total, count: rows.length, ...query }) };
      });
    },
    announce: createAnnounce(deps),
    keepMail: createKeepMail(deps),
    worker: delivery.worker,
    stop: delivery.stop,
    // Messages are kept for a time, and jobs may be lost.
    async maintain() {
      await deleteOldMessages(jobsDb, new Date(now().getTime() - contract.channelLimits.days * 86_400_000));
      await deleteBeyondInbox(jobsDb);
      await updateAheadOfTime(jobsDb, now());
      await delivery.resume();
    },
  };
}

/** The id before which a page begins; null, which means the first page, for anything else. */
function readCursor(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

import type { Announce } from '../../announcement.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { insertMessages } from './messages-store.ts';

export const channelQueue = 'notices';

/** A job that looks for messages of a channel. Which ones there are, their rows say. */
export function channelJob(channelId: number, afterSeconds = 0) {
  return { queue: channelQueue, data: { channelId }, afterSeconds } as const;
}

/** Dots would separate it from what is signed with it; other characters may not be in a header. */
const safeUid = /^[\w-]{1,200}$/;

/** Leaves messages for the channels behind, with a job for each channel that sends them. An announcement that is repeated leaves none. */
export function createAnnounce({ now, sendJob }: { now: () => Date; sendJob: SendJob }): Announce {
  return async (tx, announcements) => {
    const invalid = announcements.find(({ uid }) => !safeUid.test(uid));
    if (invalid !== undefined) throw new Error(`Announcement: invalid uid (${invalid.uid})`);
    const at = now();
    const messages = await insertMessages(tx, announcements, at);
    for (const [channelId, ofChannel] of Map.groupBy(messages, (message) => message.channelId)) {
      const due = Math.min(...ofChannel.map(({ dueAt }) => (dueAt ?? at).getTime()));
      await sendJob(tx, channelJob(channelId, Math.max(0, Math.ceil((due - at.getTime()) / 1000))));
    }
    return new Set(messages.map(({ uid }) => uid));
  };
}

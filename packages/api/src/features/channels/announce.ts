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

/** Leaves a message for each channel behind, with a job that sends it. An announcement that is repeated leaves none. */
export function createAnnounce({ now, sendJob }: { now: () => Date; sendJob: SendJob }): Announce {
  return async (tx, announcement) => {
    if (!safeUid.test(announcement.uid)) throw new Error(`Announcement: invalid uid (${announcement.uid})`);
    for (const { channelId, digestMinutes } of await insertMessages(tx, announcement, now()))
      await sendJob(tx, channelJob(channelId, digestMinutes * 60));
  };
}

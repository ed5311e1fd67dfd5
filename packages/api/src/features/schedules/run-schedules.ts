import { byteOrderMark } from '@switchyard/contract/csv-format';
import { displayDay } from '@switchyard/contract/dates';
import { type FilePeriod, fileNameOf } from '@switchyard/contract/file-names';
import { holdsAny } from '@switchyard/contract/permissions';
import { readQuery } from '@switchyard/contract/listing';
import { viewLists } from '@switchyard/contract/saved-views';
import { scheduleMessages, type scheduledLists } from '@switchyard/contract/schedules';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { MailRejected, type Mailer } from '../../adapters/mailer.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, unchanged } from '../../database/transaction.ts';
import { FieldErrors } from '../../errors.ts';
import type { Reader } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { oneLine, writeMail, type MailNames } from '../../mails/write-mail.ts';
import { findAccountRights } from '../credentials/caller-lookup.ts';
import { nextRun } from './next-run.ts';
import {
  insertRun,
  listDue,
  listPlanned,
  lockSchedule,
  updateMail,
  updateNextRun,
  updateReserved,
  type MailState,
  type ReservedMail,
} from './schedules-store.ts';

export const scheduleQueue = 'schedules';

/** Makes the file of a list for a reader, with the parameters of its address, and records the export. `period`: the days it covers. */
export type WriteFile = (
  reader: Reader,
  rawQuery: ReturnType<typeof readQuery>,
  signal: AbortSignal,
) => Promise<{ body: Readable; period?: FilePeriod }>;

export type RunDependencies = MailNames & {
  jobsDb: Databases['jobsDb'];
  pools: Pick<Databases['pools'], 'jobs'>;
  sendJob: SendJob;
  /** Null where no mail is sent. */
  mailer: Mailer | null;
  files: Readonly<Record<(typeof scheduledLists)[number], WriteFile>>;
  serverOffset: string;
  demoIsOn: boolean;
  now: () => Date;
  onMailFault: (fault: { mail: string; accountId: number; isFinal: boolean; err: unknown }) => void;
};

const jobData = z.union([z.object({ scheduleId: z.int() }), z.object({ mailId: z.int() })]);

/** A mail server takes about so much; base64 adds a third. */
const largestFile = 8 * 1024 * 1024;
/** A report that takes longer is made again by another process. */
const reservationSeconds = 60;
const retrySeconds = 120;
const givenUpMilliseconds = 24 * 3_600_000;
/** Jobs start by the clock of the database. */
const earlyMilliseconds = 5000;

/** The job that runs a schedule when it is due. */
export function runJob(scheduleId: number, due: Date, now: Date) {
  const afterSeconds = Math.max(0, Math.ceil((due.getTime() - now.getTime()) / 1000));
  return { queue: scheduleQueue, data: { scheduleId }, afterSeconds } as const;
}

/** The job that makes and sends a mail. */
export function mailJob(mailId: number, afterSeconds = 0) {
  return { queue: scheduleQueue, data: { mailId }, afterSeconds } as const;
}

/** Runs a job: leaves a mail for each recipient of a schedule that is due, or makes and sends one. */
export async function runScheduleJob(deps: RunDependencies, data: unknown, signal: AbortSignal): Promise<void> {
  const job = jobData.parse(data);
  await ('scheduleId' in job ? runSchedule(deps, job.scheduleId) : sendReport(deps, job.mailId, signal));
}

/**
 * Plans next runs anew that do not fit the offset of the server, which was changed, and sends jobs for schedules and mails whose own were
 * lost, e.g. with a restored backup.
 */
export async function resumeSchedules({ jobsDb, sendJob, now, serverOffset }: RunDependencies): Promise<void> {
  await transaction(jobsDb, async (tx) => {
    const at = now();
    for (const planned of await listPlanned(tx, at)) {
      const next = nextRun(planned, at, serverOffset);
      // One that a job may just have run early is due at this moment by its calendar, too.
      if (next.getTime() === planned.next_run_at.getTime() || next.getTime() <= at.getTime() + earlyMilliseconds) continue;
      if (await updateNextRun(tx, { id: planned.id, from: planned.next_run_at, to: next })) await sendJob(tx, runJob(planned.id, next, at));
    }
    const { schedules, mails } = await listDue(tx, now());
    for (const id of schedules) await sendJob(tx, runJob(id, now(), now()));
    for (const id of mails) await sendJob(tx, mailJob(id));
    return unaudited('jobs for mails that are stored already', undefined);
  });
}

/** A run that was missed, however often, is made once: the next one is due after now. */
async function runSchedule({ jobsDb, sendJob, now, serverOffset }: RunDependencies, id: number): Promise<void> {
  await transaction(jobsDb, async (tx) => {
    const at = now();
    const schedule = await lockSchedule(tx, id, null);
    if (!schedule?.is_on || schedule.next_run_at.getTime() > at.getTime() + earlyMilliseconds) return unchanged(undefined);
    const next = nextRun(schedule, new Date(Math.max(at.getTime(), schedule.next_run_at.getTime())), serverOffset);
    for (const mailId of await insertRun(tx, schedule, next)) await sendJob(tx, mailJob(mailId));
    await sendJob(tx, runJob(id, next, at));
    return unaudited('mails to send, and when the next ones are due', undefined);
  });
}

/**
 * Makes a file with the rights that its recipient has now, and mails it. If the process is killed before the outcome is stored, the
 * mail is sent again with the same id.
 */
async function sendReport(deps: RunDependencies, mailId: number, signal: AbortSignal): Promise<void> {
  const { jobsDb, sendJob, now } = deps;
  const mail = await transaction(jobsDb, async (tx) => {
    const reserved = await updateReserved(tx, mailId, reservationSeconds);
    // If this process is killed, this job makes the mail.
    if (reserved) await sendJob(tx, mailJob(mailId, reservationSeconds + 1));
    return reserved ? unaudited('the pace of sending is no setting', reserved) : unchanged(undefined);
  });
  if (!mail) return;
  try {
    await updateMail(jobsDb, mailId, await attempt(deps, mail, signal), now());
  } catch (err) {
    signal.throwIfAborted();
    const isFinal = err instanceof MailRejected || now().getTime() - mail.due_at.getTime() > givenUpMilliseconds;
    deps.onMailFault({ mail: 'report', accountId: mail.account_id, isFinal, err });
    await updateMail(jobsDb, mailId, isFinal ? 'failed' : null, now());
    if (isFinal) return;
    await transaction(jobsDb, async (tx) => {
      await sendJob(tx, mailJob(mailId, retrySeconds));
      return unaudited('the pace of sending is no setting', undefined);
    });
  }
}

async function attempt(deps: RunDependencies, mail: ReservedMail, signal: AbortSignal): Promise<MailState> {
  if (deps.mailer === null) throw new MailRejected(scheduleMessages.noMail);
  const rights = await findAccountRights(deps.pools.jobs, { accountId: mail.account_id, now: deps.now(), demoIsOn: deps.demoIsOn });
  if (!rights || rights.mustSetUpFactor || !holdsAny(rights.account.permissions, viewLists[mail.list])) {
    await tellOwner(deps, mail, scheduleMessages.lostAccess, signal);
    return 'denied';
  }
  const file = await readFile(deps, mail, rights, signal);
  if (file === null) {
    await tellOwner(deps, mail, scheduleMessages.tooLarge, signal);
    return 'failed';
  }
  const days = periodText(file.period);
  const words = writeMail(deps, {
    to: { name: mail.recipient_name, address: mail.recipient_email },
    subject: `${oneLine(mail.name)}${days === null ? '' : `, ${days}`}: ${deps.productName}`,
    title: oneLine(mail.name),
    lead: `The saved view ${oneLine(mail.view_name)}${days === null ? '' : `, ${days},`} is attached, limited to what you have access to.`,
    button: { text: 'Open it in the console', link: `${deps.publicUrl}/${mail.list}${mail.query === '' ? '' : `?${mail.query}`}` },
    facts: [['Scheduled by', mail.owner_name]],
    end: `To stop these emails, open ${deps.publicUrl}/schedules/received`,
  });
  const filename = fileNameOf([mail.view_name], { period: file.period, fallback: mail.list, extension: 'csv' });
  const attachment = { filename, content: file.content, contentType: 'text/csv; charset=utf-8' };
  await deps.mailer.send({ ...words, id: idOf(mail, 'report'), attachments: [attachment] }, signal);
  return 'sent';
}

/** The days of a file as people read them; null if it has none. */
function periodText({ from, to }: FilePeriod): string | null {
  const [first, last] = [from, to].map((day) => day && displayDay(day.slice(0, 10)));
  if (first === undefined || last === undefined) return null;
  return first === last ? first : `${first} to ${last}`;
}

type MadeFile = { content: Buffer; period: FilePeriod };

/** The file in the form for Excel; null if it is too large. A view whose parameters no longer fit makes no file, either. */
async function readFile({ files }: RunDependencies, mail: ReservedMail, reader: Reader, signal: AbortSignal): Promise<MadeFile | null> {
  const chunks = [Buffer.from(byteOrderMark)];
  let size = 0;
  const { body, period = {} } = await files[mail.list](reader, readQuery(mail.query), signal).catch((error: unknown) => {
    throw error instanceof FieldErrors ? new MailRejected(Object.values(error.errors).flat().join(' ')) : error;
  });
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > largestFile) return null;
    chunks.push(bytes);
  }
  return { content: Buffer.concat(chunks), period };
}

/** Tells the owner of a schedule why a recipient gets nothing. */
async function tellOwner(deps: RunDependencies, mail: ReservedMail, why: string, signal: AbortSignal): Promise<void> {
  if (!mail.owner_is_reachable || deps.mailer === null) return;
  const words = writeMail(deps, {
    to: { name: mail.owner_name, address: mail.owner_email },
    subject: `Not sent: ${oneLine(mail.name)}`,
    title: 'A scheduled report was not sent',
    lead: `${why} Change the recipients of the schedule, or its saved view.`,
    button: { text: 'Open the schedule', link: `${deps.publicUrl}/schedules/${mail.id}/edit` },
    facts: [
      ['Schedule', mail.name],
      ['Recipient', mail.recipient_name],
    ],
    end: 'It was sent to the other recipients.',
  });
  await deps.mailer.send({ ...words, id: idOf(mail, 'denied') }, signal);
}

function idOf({ mail_id: id, due_at: due }: ReservedMail, what: string): string {
  return `schedule-${what}-${id}-${due.getTime()}`;
}

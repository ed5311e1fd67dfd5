import { byteOrderMark } from '@switchyard/contract/csv-format';
import { displayDay } from '@switchyard/contract/dates';
import { type FilePeriod, fileNameOf } from '@switchyard/contract/file-names';
import { holdsAny } from '@switchyard/contract/permissions';
import { readQuery } from '@switchyard/contract/listing';
import { mayUseChannels } from '@switchyard/contract/channels';
import type { ReportFigure } from '@switchyard/contract/report-figures';
import { viewLists } from '@switchyard/contract/saved-views';
import { scheduleMessages, type scheduledLists } from '@switchyard/contract/schedules';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { guardedText, markedText, readCells, type WriteText } from '@switchyard/traffic-store/csv';
import { MailRejected, type Attachment, type Mailer } from '../../adapters/mailer.ts';
import { readUpTo } from '../../adapters/read-up-to.ts';
import { writeWorkbook } from '../../adapters/write-workbook.ts';
import type { Announce } from '../../announcement.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, unchanged } from '../../database/transaction.ts';
import { FieldErrors } from '../../errors.ts';
import type { Reader } from '../../http/bind.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { oneLine, writeMail, type MailNames, type MailWords } from '../../mails/write-mail.ts';
import type { KeepMail, KeptMail } from '../../mails/kept-mail.ts';
import { findAccountRights } from '../credentials/caller-lookup.ts';
import { planAnew, runAfter } from './next-run.ts';
import {
  deleteUnwanted,
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

/**
 * Makes the file of a list for a reader, with the parameters of its address, and records the export. `asOf`: the instant from which its
 * relative days count. `period`: the days it covers; `figures`: its totals.
 */
export type WriteFile = (
  reader: Reader,
  file: { rawQuery: ReturnType<typeof readQuery>; asOf: Date; writeText: WriteText },
  signal: AbortSignal,
) => Promise<{ body: Readable; period?: FilePeriod; figures?: readonly ReportFigure[] }>;

export type RunDependencies = MailNames & {
  jobsDb: Databases['jobsDb'];
  pools: Pick<Databases['pools'], 'jobs'>;
  sendJob: SendJob;
  announce: Announce;
  /** Null where no mail is sent. */
  mailer: Mailer | null;
  /** Keeps mails where the demo has no mail server; null elsewhere. */
  keepMail: KeepMail | null;
  files: Readonly<Record<(typeof scheduledLists)[number], WriteFile>>;
  serverOffset: string;
  demoIsOn: boolean;
  now: () => Date;
  onMailFault: (fault: { mail: string; accountId: number; isFinal: boolean; err: unknown }) => void;
};

const jobData = z.union([z.object({ scheduleId: z.int() }), z.object({ mailId: z.int() })]);

/** A mail server takes about so much; base64 adds a third. */
const largestFile = 8 * 1024 * 1024;
/** Time from an attempt to the next one, if the mail was not sent until then or its process was killed. */
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
      const next = planAnew(planned, planned.next_run_at, serverOffset);
      if (next.getTime() === planned.next_run_at.getTime()) continue;
      if (await updateNextRun(tx, { id: planned.id, from: planned.next_run_at, to: next })) await sendJob(tx, runJob(planned.id, next, at));
    }
    const { schedules, mails } = await listDue(tx, now());
    for (const id of schedules) await sendJob(tx, runJob(id, now(), now()));
    for (const id of mails) await sendJob(tx, mailJob(id));
    return unaudited('jobs for mails that are stored already', undefined);
  });
}

/** Of runs that were missed only the newest is made. */
async function runSchedule({ jobsDb, sendJob, now, serverOffset }: RunDependencies, id: number): Promise<void> {
  await transaction(jobsDb, async (tx) => {
    const at = now();
    const schedule = await lockSchedule(tx, id, null);
    if (!schedule?.is_on || schedule.next_run_at.getTime() > at.getTime() + earlyMilliseconds) return unchanged(undefined);
    let due = schedule.next_run_at;
    let next = runAfter(schedule, due, serverOffset);
    while (next <= at) {
      due = next;
      next = runAfter(schedule, due, serverOffset);
    }
    for (const mailId of await insertRun(tx, schedule, { due, next })) await sendJob(tx, mailJob(mailId));
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
    if (await deleteUnwanted(tx, mailId)) return unaudited('a mail that waited is no setting', undefined);
    const reserved = await updateReserved(tx, mailId, { seconds: retrySeconds, reachesDemo: deps.keepMail !== null });
    // The only job of a mail that waits: it starts when the reservation has ended, whatever became of this attempt.
    if (reserved) await sendJob(tx, mailJob(mailId, retrySeconds + 1));
    return reserved ? unaudited('the pace of sending is no setting', reserved) : unchanged(undefined);
  });
  if (!mail) return;
  try {
    await updateMail(jobsDb, mailId, await attempt(deps, mail, signal), now());
  } catch (err) {
    signal.throwIfAborted();
    const isFinal = err instanceof MailRejected || now().getTime() - mail.due_at.getTime() > givenUpMilliseconds;
    deps.onMailFault({ mail: 'report', accountId: mail.account_id ?? mail.owner_id, isFinal, err });
    if (isFinal) await updateMail(jobsDb, mailId, 'failed', now());
  }
}

/** A mail whose view the owner of the schedule sees. */
type ReportMail = ReservedMail & { view_name: string };

function namesView(mail: ReservedMail): mail is ReportMail {
  return mail.view_name !== null;
}

async function attempt(deps: RunDependencies, mail: ReservedMail, signal: AbortSignal): Promise<MailState> {
  const { account_id: accountId } = mail;
  if (deps.mailer === null && deps.keepMail === null && accountId !== null) throw new MailRejected(scheduleMessages.noMail);
  if (!namesView(mail)) {
    if (mail.is_first_of_run) await tellOwner(deps, mail, scheduleMessages.lostView, signal);
    return 'denied';
  }
  const readerId = accountId ?? mail.owner_id;
  const rights = await findAccountRights(deps.pools.jobs, { accountId: readerId, now: deps.now(), demoIsOn: deps.demoIsOn });
  if (!rights || rights.mustSetUpFactor || !holdsAny(rights.account.permissions, viewLists[mail.list])) {
    await tellOwner(deps, mail, scheduleMessages.lostAccess, signal);
    return 'denied';
  }
  if (accountId === null && !mayUseChannels(rights.account)) {
    await tellOwner(deps, mail, scheduleMessages.lostChannels, signal);
    return 'denied';
  }
  const file = await readFile(deps, mail, rights, signal).catch((error: unknown) => {
    if (error instanceof FieldErrors) return scheduleMessages.outdatedView(Object.values(error.errors).flat().join(' '));
    throw error;
  });
  if (typeof file === 'string') {
    await tellOwner(deps, mail, file, signal);
    return 'failed';
  }
  if (accountId === null) {
    await announceReport(deps, mail, file);
    return 'sent';
  }
  if (file.content === null) {
    await tellOwner(deps, mail, scheduleMessages.tooLarge, signal);
    return 'failed';
  }
  const words: MailWords = {
    to: { name: mail.recipient_name ?? '', address: mail.recipient_email ?? '' },
    subject: `${titleOf(mail, file)}: ${deps.productName}`,
    title: oneLine(mail.name),
    lead: `${viewText(mail, file)} is attached, limited to what you have access to.`,
    button: { text: 'Open it in the console', link: `${deps.publicUrl}${pathOf(mail, file)}` },
    facts: [...file.figures.map(({ name, text }) => [name, text] as const), ['Scheduled by', mail.owner_name]],
    end: `To stop these emails, open ${deps.publicUrl}/schedules/received`,
  };
  const filename = fileNameOf([mail.view_name], { period: file.period, fallback: mail.list, extension: mail.format });
  const attachment = { filename, content: file.content, contentType: contentTypes[mail.format] };
  await sendWords(deps, { id: idOf(mail, 'report'), words, list: mail.list, attachment }, signal);
  return 'sent';
}

/** Mails words, or keeps them in the inbox of the demo. */
async function sendWords(
  deps: RunDependencies,
  { attachment, ...mail }: Omit<KeptMail, 'attachment'> & { attachment: Attachment | null },
  signal: AbortSignal,
): Promise<void> {
  if (deps.mailer === null) return deps.keepMail?.({ ...mail, attachment });
  const attachments = attachment === null ? [] : [attachment];
  await deps.mailer.send({ ...writeMail(deps, mail.words), id: mail.id, attachments }, signal);
}

/** Leaves a message with the figures of a report for the channels of its schedule. */
async function announceReport({ jobsDb, announce, now }: RunDependencies, mail: ReportMail, file: MadeFile): Promise<void> {
  const { figures, period } = file;
  await transaction(jobsDb, async (tx) => {
    await announce(tx, [
      {
        uid: idOf(mail, 'channels'),
        type: 'report.ready',
        severity: 'info',
        at: now(),
        title: titleOf(mail, file),
        lines: [`${viewText(mail, file)} is ready.`, ...figures.map(({ name, text }) => `${name}: ${text}`)],
        path: pathOf(mail, file),
        channelIds: mail.channel_ids,
        data: {
          schedule: { id: mail.id, name: mail.name },
          view: { name: mail.view_name, list: mail.list },
          from: period.from ?? null,
          to: period.to ?? null,
          figures: figures.map(({ column, name, value, compared }) => ({ column, name, value, compared })),
        },
      },
    ]);
    return unaudited('messages for channels of a schedule', undefined);
  });
}

function titleOf(mail: ReservedMail, { period }: MadeFile): string {
  const days = periodText(period);
  return `${oneLine(mail.name)}${days === null ? '' : `, ${days}`}`;
}

/** The view with the days of the file, as a sentence begins. */
function viewText(mail: ReportMail, { period }: MadeFile): string {
  const days = periodText(period);
  return `The saved view ${oneLine(mail.view_name)}${days === null ? '' : `, ${days},`}`;
}

/** The list with the days of the file, which its own parameters may not have any more when it is opened. */
function pathOf({ list, query }: ReservedMail, { period: { from, to } }: MadeFile): string {
  const parameters = new URLSearchParams(query);
  if (from !== undefined && to !== undefined) {
    for (const name of ['days', 'period']) parameters.delete(name);
    parameters.set('startDate', from);
    parameters.set('endDate', to);
  }
  const text = parameters.toString();
  return `/${list}${text === '' ? '' : `?${text}`}`;
}

/** The days of a file as people read them; null if it has none. */
function periodText({ from, to }: FilePeriod): string | null {
  const [first, last] = [from, to].map((day) => day && displayDay(day.slice(0, 10)));
  if (first === undefined || last === undefined) return null;
  return first === last ? first : `${first} to ${last}`;
}

/** A file that was made; `content` is null for channels, and if it is too large for a mail. */
type MadeFile = { content: Buffer | null; period: FilePeriod; figures: readonly ReportFigure[] };

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The file in the form of the schedule. Throws FieldErrors for a view whose parameters no longer fit. */
async function readFile({ files }: RunDependencies, mail: ReservedMail, reader: Reader, signal: AbortSignal): Promise<MadeFile> {
  const writeText = mail.format === 'xlsx' ? markedText : guardedText;
  const file = { rawQuery: readQuery(mail.query), asOf: mail.due_at, writeText };
  const { body, period = {}, figures = [] } = await files[mail.list](reader, file, signal);
  if (mail.account_id === null) {
    body.destroy();
    return { content: null, period, figures };
  }
  const csv = await readUpTo(body, largestFile);
  if (csv === null || mail.format === 'csv') return { content: csv && Buffer.concat([Buffer.from(byteOrderMark), csv]), period, figures };
  const [header = [], ...rows] = readCells(csv.toString());
  const workbook = writeWorkbook({ name: mail.list, header: header.map(String), rows: Readable.from(rows) });
  return { content: await readUpTo(workbook, largestFile), period, figures };
}

/** Tells the owner of a schedule why a recipient gets nothing, or nobody without the view. */
async function tellOwner(deps: RunDependencies, mail: ReservedMail, why: string, signal: AbortSignal): Promise<void> {
  if (!mail.owner_is_reachable) return;
  const isForAll = !namesView(mail);
  const words: MailWords = {
    to: { name: mail.owner_name, address: mail.owner_email },
    subject: `Not sent: ${oneLine(mail.name)}`,
    title: 'A scheduled report was not sent',
    lead: `${why} ${isForAll ? 'Choose another one.' : 'Change the recipients of the schedule, or its saved view.'}`,
    button: { text: 'Open the schedule', link: `${deps.publicUrl}/schedules/${mail.id}/edit` },
    facts: [
      ['Schedule', mail.name],
      ...(isForAll
        ? []
        : [[mail.account_id === null ? 'Channels' : 'Recipient', mail.recipient_name ?? String(mail.channel_ids.length)] as const]),
    ],
    end: isForAll ? 'It was sent to nobody.' : 'It was sent to the other recipients.',
  };
  await sendWords(deps, { id: idOf(mail, 'denied'), words, list: mail.list, attachment: null }, signal);
}

function idOf({ mail_id: id, due_at: due }: ReservedMail, what: string): string {
  return `schedule-${what}-${id}-${due.getTime()}`;
}

import { accountLinkHours } from '@switchyard/contract/account-links';
import type { Invitation } from '@switchyard/contract/invitations';
import { wireDate } from '@switchyard/contract/dates';
import type { Panel } from '@switchyard/contract/permissions';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { AccountLinksTable, Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { SendJob } from '../../jobs/job-queue.ts';
import { mailQueue } from '../../mails/deliver-mail.ts';
import { randomToken, tokenHash } from '../../secret-keys/secret-token.ts';

export type LinkPurpose = AccountLinksTable['purpose'];
export type MailState = AccountLinksTable['mail'];

/** The origin of a link, for its mail: who had it made (null: its recipient), when and from where. */
export const linkOrigin = z.object({ by: z.string().nullable(), at: z.string(), ip: z.string() });
export type LinkOrigin = z.output<typeof linkOrigin>;

export type LinkDependencies = {
  now: () => Date;
  /** Public address of the console, from its settings: never from a request, whose headers anybody can forge. */
  publicUrl: string;
  /** Sends the job of a mail; null where no mail is sent. */
  sendMail: SendJob | null;
};

/** The page of each link. The token is in the fragment, which browsers send neither to servers nor as a referrer. */
const pages = { invitation: 'invitation', password_reset: 'reset-password' } as const;

/** The address of a link. */
export function linkAddress(publicUrl: string, purpose: LinkPurpose, token: string): string {
  return `${publicUrl}/${pages[purpose]}#${token}`;
}

/** A created link; `link` is null if it is mailed. */
export type CreatedLink = { expiresAt: Date; mail: MailState; link: string | null };

/**
 * Creates the link of an account for a purpose, in place of an older one. Where mail is sent, the token is made when the mail
 * is, so that it is stored nowhere.
 */
export async function createLink(
  tx: OpenTransaction,
  { now, publicUrl, sendMail }: LinkDependencies,
  { accountId, purpose, by, ip }: { accountId: number; purpose: LinkPurpose; by: string | null; ip: string },
): Promise<CreatedLink> {
  await deleteLinks(tx, accountId, purpose);
  const token = randomToken();
  const mail = sendMail === null ? null : 'queued';
  const expiresAt = new Date(now().getTime() + accountLinkHours[purpose] * 3_600_000);
  const { id } = await tx
    .insertInto('account_links')
    .values({ account_id: accountId, purpose, token_hash: mail === null ? tokenHash(token) : null, mail, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  const origin: LinkOrigin = { by, at: now().toISOString(), ip };
  if (sendMail !== null) await sendMail(tx, { queue: mailQueue, data: { kind: 'link', linkId: id, origin } });
  return { expiresAt, mail, link: mail === null ? linkAddress(publicUrl, purpose, token) : null };
}

/** Deletes the links of an account, all or those of one purpose; false when there were none. */
export async function deleteLinks(tx: OpenTransaction, accountId: number, purpose?: LinkPurpose): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from account_links where account_id = ${accountId} and purpose = coalesce(${purpose ?? null}, purpose)
  `.execute(tx);
  return numAffectedRows > 0n;
}

/** An invited person who set a password, or signed in with Google, uses the account: nothing is left to accept. */
const isInUse = sql`(a.password_hash is not null or a.google_subject is not null)`;

/** A link and its account. */
export type LinkOwner = { linkId: number; accountId: number; name: string; email: string; panel: Panel };

/**
 * The live link of a token or of an id, with its account; undefined when it is unknown, used or expired, or when its account
 * was deleted, has no access, belongs to the demo or, for an invitation, is in use already. An invitation is found by its id, to be mailed,
 * also while its account has no access: it works once the account has.
 */
export async function findLink(
  db: Kysely<Tables>,
  link: { purpose?: LinkPurpose; now: Date } & ({ token: string } | { linkId: number }),
): Promise<(LinkOwner & { purpose: LinkPurpose }) | undefined> {
  const isAsked =
    'token' in link
      ? sql`l.token_hash = ${tokenHash(link.token)} and a.has_access`
      : sql`l.id = ${link.linkId} and (a.has_access or l.purpose = 'invitation')`;
  const { rows } = await sql<LinkOwner & { purpose: LinkPurpose }>`
    select l.id as "linkId", l.purpose, a.id as "accountId", a.name, a.email, a.panel
    from account_links l join accounts a on a.id = l.account_id
    where ${isAsked} and l.purpose = coalesce(${link.purpose ?? null}, l.purpose) and l.expires_at > ${link.now}
      and a.deleted_at is null and not a.is_demo and (l.purpose = 'password_reset' or not ${isInUse})
  `.execute(db);
  return rows[0];
}

/** Uses up a link; false when another call was faster. */
export async function takeLink(
  tx: OpenTransaction,
  { linkId, token, now }: { linkId: number; token: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from account_links where id = ${linkId} and token_hash = ${tokenHash(token)} and expires_at > ${now}
  `.execute(tx);
  return numAffectedRows > 0n;
}

/** The state of the invitation of an account that is not deleted. */
export async function readInvitation(db: Kysely<Tables>, accountId: number, now: Date): Promise<Invitation> {
  const { rows } = await sql<{ expires_at: Date | null; mail: MailState; is_in_use: boolean }>`
    select l.expires_at, l.mail, ${isInUse} as is_in_use
    from accounts a left join account_links l on l.account_id = a.id and l.purpose = 'invitation' where a.id = ${accountId}
  `.execute(db);
  const [row] = rows;
  if (!row || row.is_in_use) return { state: 'none', expires_at: null, mail: null };
  if (row.expires_at === null) return { state: 'withdrawn', expires_at: null, mail: null };
  return { state: row.expires_at > now ? 'pending' : 'expired', expires_at: wireDate(row.expires_at), mail: row.mail };
}

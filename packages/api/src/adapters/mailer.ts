import type { MailSettings } from '../env.ts';

export type Recipient = { name: string; address: string };

/** A file at a message. */
export type Attachment = { filename: string; content: Buffer; contentType: string };

/** A message, as text and as HTML. `id`: the same for a message that is sent again; default: a new one. */
export type Mail = {
  to: Recipient | readonly Recipient[];
  subject: string;
  text: string;
  html: string;
  id?: string;
  attachments?: readonly Attachment[];
};

/** The answer of the server to a message that it took, and the recipients for whom it did not, with its code for each (RFC 5321 4.2). */
export type MailAnswer = { text: string; refused: readonly { address: string; code: number }[] };

/** Sends mail over SMTP. */
export type Mailer = {
  /**
   * Resolves when the server has taken the message for at least one recipient.
   * @throws MailRejected for a message that it will never take; other errors may pass.
   */
  send: (mail: Mail, signal: AbortSignal) => Promise<MailAnswer>;
};

/** The server, or this adapter, does not accept the message or its recipient: sending it again is useless. */
export class MailRejected extends Error {
  override name = 'MailRejected';
}

/** Loads the library at its first use: consoles without a mail server need none of its modules. */
const loadMailLibrary = async () => import('nodemailer');

/** Shorter than the time after which a job counts as lost. */
const timeouts = { dnsTimeout: 5000, connectionTimeout: 8000, greetingTimeout: 8000, socketTimeout: 15_000 };
const smtpPorts = { 'smtp:': 587, 'smtps:': 465 } as const;

/**
 * Characters that have a meaning in an address header, and control characters. Account addresses may contain them; no mail is
 * sent there, because another person could get it.
 */
const unsafeAddress = /[\s<>()[\]\\,;:"\p{Cc}]/u;

/**
 * Creates a mailer that opens a connection for each message. With credentials `smtp:` requires STARTTLS, so that nobody on the
 * way can read the password.
 */
export function createMailer({ smtpUrl, from }: MailSettings, { senderName }: { senderName: string }): Mailer {
  const options = transportOptions(smtpUrl);

  return {
    async send({ to: recipients, id, attachments = [], ...mail }, signal) {
      const to = [recipients].flat();
      if (to.some(({ address }) => unsafeAddress.test(address)))
        throw new MailRejected('The address contains characters that are not allowed in mail');
      const { createTransport } = await loadMailLibrary();
      const transport = createTransport(options);
      const abortion = Promise.withResolvers<never>();
      const stop = (): void => {
        transport.close();
        abortion.reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      try {
        signal.throwIfAborted();
        const envelope = { from, to: to.map(({ address }) => address) };
        const messageId = id === undefined ? {} : { messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>` };
        const headers = { 'auto-submitted': 'auto-generated' };
        const message = { ...mail, ...messageId, from: { name: senderName, address: from }, to, envelope, headers };
        const {
          response,
          rejected,
          rejectedErrors = [],
        } = await Promise.race([transport.sendMail({ ...message, attachments: [...attachments] }), abortion.promise]);
        const codeOf = (address: string) => responseCode(rejectedErrors.find(({ recipient }) => recipient === address));
        return { text: response, refused: rejected.map((address) => ({ address, code: codeOf(address) })) };
      } catch (error) {
        throw isFinal(error) ? new MailRejected(`The mail server rejected the message (${responseCode(error)})`) : error;
      } finally {
        signal.removeEventListener('abort', stop);
        transport.close();
      }
    },
  };
}

/** Connects and signs in to the mail server without sending anything. @throws the error of the connection or of the sign-in. */
export async function verifyMailServer({ smtpUrl }: Pick<MailSettings, 'smtpUrl'>): Promise<void> {
  const { createTransport } = await loadMailLibrary();
  const transport = createTransport(transportOptions(smtpUrl));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function transportOptions(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const isSecure = protocol === 'smtps:';
  const auth = username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? smtpPorts[isSecure ? 'smtps:' : 'smtp:'] : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && username !== '',
    disableFileAccess: true,
    disableUrlAccess: true,
    ...auth,
    ...timeouts,
  };
}

/** 5xx answers to the recipient or the message are final (RFC 5321 4.2.1); failed logins are the operator's to mend. */
function isFinal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode(error) >= 500;
}

function responseCode(error: unknown): number {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0;
}

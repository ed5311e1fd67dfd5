import { SMTPServer } from 'smtp-server';
import { mailServerCertificate } from './mail-server-certificate.ts';

type ReceivedMail = { to: string[]; source: string; isEncrypted: boolean };

/**
 * A real mail server on this machine. `offersTls`: it offers STARTTLS with `mailServerCertificate`, which nobody trusts by default, and takes them.
 * `state.refuses` is its answer to recipients, if it takes none, and `state.refusesOne` that to single ones; while `state.holds`, messages get no answer; while
 * `state.knowsNobody`, it rejects credentials.
 */
export async function startMailServer({ port = 0, offersTls = false }: { port?: number; offersTls?: boolean } = {}) {
  const mails: ReceivedMail[] = [];
  const passwords: (string | null | undefined)[] = [];
  const state: { refuses: number | null; refusesOne: Map<string, number>; holds: boolean; knowsNobody: boolean } = {
    refuses: null,
    refusesOne: new Map(),
    holds: false,
    knowsNobody: false,
  };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    ...(offersTls ? mailServerCertificate : { disabledCommands: ['STARTTLS'] }),
    onAuth({ password }, _session, callback) {
      passwords.push(password);
      if (state.knowsNobody) callback(new Error('No such account'));
      else callback(null, { user: 'console' });
    },
    onRcptTo({ address }, _session, callback) {
      const responseCode = state.refusesOne.get(address) ?? state.refuses;
      if (responseCode === null) callback();
      else callback(Object.assign(new Error('No such person'), { responseCode }));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, source: Buffer.concat(chunks).toString(), isEncrypted: session.secure });
        if (!state.holds) callback();
      });
    },
  });
  // Clients that reject the certificate end their connections.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const address = server.server.address();
  return {
    mails,
    /** Passwords that clients sent, encrypted or not. */
    passwords,
    state,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
    /** The newest message to an address, without its transfer encoding; empty if there is none. */
    newest: (to: string) => decode(mails.findLast((mail) => mail.to.includes(to))?.source ?? ''),
  };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** A message without its transfer encoding. */
export function decode(source: string): string {
  return source
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

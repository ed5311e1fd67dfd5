import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fchmodSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileReason } from '@switchyard/embedded-postgres/data-folder';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { addEnvironmentFile, inspectSettings } from '../env.ts';
import { check } from './check.ts';
import { tell } from './with-database.ts';

/** Options of the command, by the names of its flags. */
export type InitOptions = {
  file: string;
  group?: string;
  appUrl?: string;
  adminEmail?: string;
  databaseUrl?: string;
  smtpUrl?: string;
  mailFrom?: string;
  trustedProxies?: string;
};

type Asked = Exclude<keyof InitOptions, 'file' | 'group'>;

/** What the command asks for, in its order. An empty answer leaves a setting out. */
const questions: readonly { option: Asked; name: string; question: string; isNeeded?: (answers: ReadonlyMap<Asked, string>) => boolean }[] =
  [
    { option: 'appUrl', name: 'APP_URL', question: 'Public address, such as https://console.example.com' },
    { option: 'adminEmail', name: 'ADMIN_EMAIL', question: 'E-mail address of the first administrator' },
    {
      option: 'databaseUrl',
      name: 'DATABASE_URL',
      question: 'Address of a PostgreSQL of your own, postgres://… (empty: the embedded one)',
    },
    { option: 'smtpUrl', name: 'SMTP_URL', question: 'Mail server, smtps://… (empty: no mail is sent)' },
    {
      option: 'mailFrom',
      name: 'MAIL_FROM',
      question: 'Sender of mails',
      isNeeded: (answers) => (answers.get('smtpUrl') ?? '') !== '',
    },
    {
      option: 'trustedProxies',
      name: 'TRUSTED_PROXIES',
      question: 'Addresses of the reverse proxy (127.0.0.1/32 if it runs on this machine)',
      isNeeded: (answers) => (answers.get('appUrl') ?? '').startsWith('https:'),
    },
  ];

/** Characters that need no quotes in a file of variables. */
const plain = /^[\w:/@.,+=?&%[\]-]*$/;

/**
 * Writes a file of settings with secrets of its own, checks it as `check` does, and prints what is left to do. Asks at a terminal for what
 * the flags leave out. @throws StartupError if the file exists, an answer is invalid, or it cannot be written; then nothing is.
 */
export async function init({ file, group, ...given }: InitOptions): Promise<void> {
  if (existsSync(file)) throw new StartupError(`${file}: exists already (choose another --file, or edit it)`);
  const answers = await askFor(given);
  const settings = new Map(
    questions.flatMap(({ option, name }) => {
      const answer = answers.get(option) ?? '';
      return answer === '' ? [] : [[name, answer] as const];
    }),
  );
  if (!settings.has('APP_URL')) throw new StartupError('--app-url: missing');
  const hasDatabase = settings.has('DATABASE_URL');
  // With the embedded database the first start makes the key, in DATA_DIR.
  if (hasDatabase) settings.set('SECRET_KEY', makeSecret());
  settings.set('METRICS_TOKEN', makeSecret());
  const { problems } = inspectSettings(Object.fromEntries(settings));
  if (problems.length > 0) throw new StartupError(problems.map(({ name, message }) => `${name}: ${message}`).join('\n'));
  write(file, { settings, group });
  tell(`Written: ${file}`);
  await check(addEnvironmentFile(file));
  tell(
    ['', 'What is left:', ...remaining({ hasDatabase, sendsMail: settings.has('SMTP_URL') }).map((line, at) => `${at + 1}. ${line}`)].join(
      '\n',
    ),
  );
}

const makeSecret = (): string => randomBytes(32).toString('base64url');

/** The given answers, and at a terminal those to the questions that are left. */
async function askFor(given: Omit<InitOptions, 'file' | 'group'>): Promise<ReadonlyMap<Asked, string>> {
  const answers = new Map<Asked, string>();
  const terminal = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : null;
  // Keeps lines that are pasted before their questions.
  const lines = terminal?.[Symbol.asyncIterator]();
  try {
    for (const { option, question, isNeeded } of questions) {
      const flag = given[option];
      if (flag !== undefined) answers.set(option, flag.trim());
      else if (lines !== undefined && isNeeded?.(answers) !== false) {
        process.stdout.write(`${question}: `);
        const line = await lines.next();
        if (line.done === true) throw new StartupError('Stopped: nothing was written');
        answers.set(option, line.value.trim());
      }
    }
  } finally {
    terminal?.close();
  }
  return answers;
}

/** Writes the file for its owner, and for a group if there is one. */
function write(file: string, { settings, group }: { settings: ReadonlyMap<string, string>; group: string | undefined }): void {
  const lines = Array.from(settings, ([name, value]) => {
    if (/['\r\n]/.test(value)) throw new StartupError(`${name}: must not contain quotes or line breaks (encode them)`);
    return `${name}=${plain.test(value) ? value : `'${value}'`}\n`;
  });
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(descriptor, lines.join(''));
      // Whatever umask is set.
      if (group !== undefined) fchmodSync(descriptor, 0o640);
    } catch (error) {
      // Otherwise the next run would take a part for the settings.
      rmSync(file);
      throw error;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new StartupError(`${file}: cannot be written (${fileReason(error)})`);
  }
  if (group !== undefined && spawnSync('chgrp', [group, file]).status !== 0)
    tell(`warning: ${file} could not be given to the group ${group} (run: chgrp ${group} ${file})`);
}

function remaining({ hasDatabase, sendsMail }: { hasDatabase: boolean; sendsMail: boolean }): string[] {
  const page = 'docs/operations.md';
  return [
    hasDatabase
      ? 'Keep a copy of SECRET_KEY elsewhere: without it no backup gives its secrets back.'
      : 'After the first start keep a copy of DATA_DIR/secret-key elsewhere: without it no backup gives its secrets back.',
    `Put a reverse proxy with TLS before the console (${page}#reverse-proxy).`,
    `Install the unit and start it; its output has the password of the first administrator once (${page}#systemd).`,
    'Sign in, change the password and set up a second factor, then require it of all staff on the page of roles.',
    ...(sendsMail ? [] : [`Set SMTP_URL and MAIL_FROM for invitations, links for passwords and alerts (${page}#mail).`]),
    `Install the timer of backups, and try one out with "restore --drill" (${page}#scheduled-backups).`,
    `Have Prometheus read /metrics with METRICS_TOKEN, and load the alerts (${page}#monitoring).`,
  ];
}

import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { productVersion } from '@switchyard/contract/limits';
import { findCommit } from '../startup/find-commit.ts';
import type { InitOptions } from './init.ts';
import type { Simulation } from './simulate.ts';

const exitCodes = { problem: 1, usage: 2 } as const;

/** Folder of the installation. Relative paths of settings begin there, e.g. the default of DATA_DIR. */
const installation = resolve(import.meta.dirname, '../../../..');

const exitCodesText = `
Exit codes: 0 done, 1 a problem (one line on standard error), 2 an invalid command line.`;
const settingsText = 'Settings are environment variables, which README.md lists.';

/**
 * Runs the command that the arguments name. Each command is imported when it runs, so that none waits for the code of the others.
 * A problem that an operator can fix is reported in one line, a defect with its stack.
 */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  // A closed terminal or pipe must not end the console before its graceful shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const callerFolder = process.cwd();
  process.chdir(installation);
  try {
    await commandLine(callerFolder).parseAsync(argv);
  } catch (error) {
    const { expectedProblem } = await import('./expected-problem.ts');
    const stack = error instanceof Error ? error.stack : undefined;
    process.stderr.write(`${expectedProblem(error) ?? stack ?? String(error)}\n`);
    process.exit(exitCodes.problem);
  }
}

/** The version and the commit that it was built from, if the installation says: `1.3.0 (284766b5…)`. */
function describeBuild(): string {
  const commit = findCommit();
  return commit === null ? productVersion : `${productVersion} (${commit})`;
}

function commandLine(callerFolder: string): Command {
  let namesOfFile: readonly string[] = [];
  const path = (pathOrName: string): string => resolve(callerFolder, pathOrName);
  const program = new Command('switchyard')
    .description('Management console of an app-distribution and analytics service')
    .version(describeBuild(), '--version', 'prints the version and its commit')
    .helpOption('-h, --help', 'prints this help')
    .helpCommand(false)
    .addHelpText('after', `${exitCodesText}\n${settingsText} "switchyard COMMAND --help" names those of a command.`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.usage));

  /** Adds a command that reads settings; `settings` describes them in its help. */
  const command = (parent: Command, name: string, settings: string): Command =>
    parent
      .command(name)
      .option('--env-file <file>', 'adds the variables of a file, one NAME=value a line, to the environment', path)
      .hook('preAction', async (self) => {
        const { envFile } = self.opts<{ envFile?: string }>();
        if (envFile !== undefined) namesOfFile = (await import('../env.ts')).addEnvironmentFile(envFile);
      })
      .addHelpText('after', `\nSettings: ${settings}${exitCodesText}\n${settingsText}`);

  const databaseSettings = 'DATABASE_URL, or DATA_DIR of the embedded database, for which the console must be stopped.';

  command(program, 'start', 'all; none is required with the embedded database.')
    .description('starts the console. Builds its pages first if their sources changed')
    .option('--no-build', 'never builds the pages')
    .action(async (options: { build: boolean }) => (await import('./start.ts')).startConsole(options));

  program
    .command('init')
    .description('writes a file of settings with generated secrets, checks it and prints what is left to do')
    .option('--file <file>', 'file to write, which must not exist', path, '/etc/switchyard.env')
    .option('--group <name>', 'group that may read it, such as switchyard')
    .option('--app-url <url>', 'public address of the console')
    .option('--admin-email <address>', 'first administrator')
    .option('--database-url <url>', 'a PostgreSQL of your own; without it the embedded one')
    .option('--smtp-url <url>', 'mail server')
    .option('--mail-from <address>', 'sender of mails')
    .option('--trusted-proxies <networks>', 'addresses of the reverse proxy, separated by commas')
    .addHelpText('after', `\nAt a terminal it asks for what is left out.${exitCodesText}`)
    .action(async (options: InitOptions) => (await import('./init.ts')).init(options));

  command(program, 'check', 'all that "start" would read.')
    .description('validates settings, folders, keys, database, event store and mail server without starting or changing anything')
    .action(async () => (await import('./check.ts')).check(namesOfFile));

  command(program, 'backup', 'DATABASE_URL, or DATA_DIR and EVENT_STORE_URL.')
    .description('backs up all stored data, and counts its rows into <file>.counts')
    .argument('<file>', 'file to write, which must not exist', path)
    .option('--keep <n>', '<file> is a folder: names the file by the time, then deletes all but the newest n', wholeNumber(10_000))
    .action(async (file: string, { keep }: { keep?: number }) => (await import('./back-up-and-restore.ts')).runBackup(file, keep ?? null));

  command(program, 'restore', 'DATABASE_URL of an empty database, or DATA_DIR without a database, and EVENT_STORE_URL.')
    .description('restores a backup, and compares its rows')
    .argument('<file>', 'file that "backup" wrote', path)
    .option('--drill', 'restores into a temporary database in DATA_DIR, verifies it with SECRET_KEY, and deletes it')
    .action(async (file: string, { drill }: { drill?: true }) => {
      const { runDrill, runRestore } = await import('./back-up-and-restore.ts');
      await (drill ? runDrill : runRestore)(file);
    });

  const events = program.command('events').description('moves events between PostgreSQL and ClickHouse');
  command(events, 'copy', `EVENT_STORE_URL, SERVER_UTC_OFFSET, EVENT_RETENTION_DAYS, and ${databaseSettings}`)
    .description('copies to ClickHouse what it is missing; may be repeated')
    .addOption(new Option('--switch', 'copies the rest and makes ClickHouse the store').conflicts(['back', 'empty']))
    .addOption(new Option('--back', 'copies back and makes PostgreSQL the store').conflicts(['switch', 'empty']))
    .addOption(new Option('--empty', 'deletes the events in PostgreSQL after comparing every day').conflicts(['switch', 'back']))
    .action(async (options: { switch?: true; back?: true; empty?: true }) => {
      const step = options.switch ? 'switch' : options.back ? 'back' : options.empty ? 'empty' : 'copy';
      await (await import('./copy-events.ts')).runCopy(step);
    });

  const audit = program.command('audit').description('examines the audit trail');
  command(audit, 'verify', `SECRET_KEY, DATA_DIR with the anchor, and ${databaseSettings}`)
    .description('compares the audit trail with its seals, and the seals with DATA_DIR/audit-anchor')
    .option('--anchor <number:hash...>', 'anchors from the log that the seals must contain', [])
    .addHelpText('after', 'Exit code 3: no problem was found, but there was no anchor, so removed seals cannot be noticed.')
    .action(async ({ anchor }: { anchor: string[] }) => (await import('./verify-audit.ts')).verifyAudit(anchor));

  command(program, 'rotate-key', `SECRET_KEY, SECRET_KEY_PREVIOUS, DATA_DIR, and ${databaseSettings}`)
    .description('replaces the key that encrypts the stored secrets')
    .option('--previous-lost', 'gives up what only a lost key decrypts: it counts as not set')
    .addHelpText(
      'after',
      `
SECRET_KEY is the new key, SECRET_KEY_PREVIOUS the one that encrypts the database. Without SECRET_KEY it makes a new key in DATA_DIR.
With DATABASE_URL the consoles keep running, all with both keys. Run it again if it was interrupted.`,
    )
    .action(async ({ previousLost }: { previousLost?: true }) =>
      (await import('./rotate-key.ts')).runRotation({ isPreviousLost: previousLost === true }),
    );

  command(program, 'asns', databaseSettings)
    .description('loads the registry of autonomous systems again')
    .argument('[folder]', 'folder with asn-ipv4.csv and asn-ipv6.csv. Default: the files of the package', path)
    .action(async (folder?: string) => (await import('./refresh-asns.ts')).refreshAsns(folder ?? null));

  command(program, 'simulate', 'PORT of the console, DATA_DIR with the demo.')
    .description('acts as a traffic server and posts events to a console')
    .requiredOption('--rate <n>', 'events a second, 1 to 20000', wholeNumber(20_000))
    .option('--for <seconds>', 'how long. Default: until Ctrl-C', wholeNumber(31_536_000))
    .option('--url <url>', 'address of the console. Default: http://127.0.0.1:PORT', address)
    .option('--token <token>', 'token of a traffic server. Default: those of the demo')
    .option('--bundles <a,b>', "bundles of the apps that get the events. Default: the demo's", list, [])
    .action(async (options: Simulation) => (await import('./simulate.ts')).simulate(options));

  program
    .command('version')
    .description('prints the version and its commit')
    .action(() => void process.stdout.write(`${describeBuild()}\n`));
  return program;
}

function wholeNumber(max: number) {
  return (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > max) throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
    return number;
  };
}

function address(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:3000.');
  return text.replace(/\/+$/, '');
}

function list(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

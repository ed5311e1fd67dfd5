import { fromDate } from '@switchyard/contract/dates';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { openDatabases } from '../database/connect.ts';
import { isDatabaseRejection, isDatabaseUnavailable } from '../database/database-errors.ts';
import { prepareDatabase } from '../database/prepare-database.ts';
import { processEnvironment, readSettings } from '../env.ts';
import { isEngineUnavailable } from '../traffic-store/clickhouse/engine-errors.ts';
import { openClickHouse } from '../traffic-store/clickhouse/open-clickhouse.ts';
import type { CopiedDay } from '../traffic-store/copy/copy-days.ts';
import { copyEvents, emptyPostgres, moveBack, type MoveOptions, switchToEngine } from '../traffic-store/copy/move-events.ts';

type Command = { run: (options: MoveOptions) => Promise<void>; done: string };

const commands: Readonly<Record<string, Command>> = {
  '': { run: copyEvents, done: 'both stores agree. Run npm run events:copy -- --switch to move the events to ClickHouse' },
  '--switch': { run: switchToEngine, done: 'the events are in ClickHouse. Start the console with EVENT_STORE_URL' },
  '--back': { run: moveBack, done: 'the events are in PostgreSQL. Start the console without EVENT_STORE_URL' },
  '--empty': { run: emptyPostgres, done: 'PostgreSQL holds no events any more' },
};

/** Queries over days take longer than those of lists. */
const timeoutFactor = 60;

/** `npm run events:copy` (docs/operations.md). */
async function main(): Promise<void> {
  const command = commands[process.argv.slice(2).join(' ')];
  if (!command) throw new StartupError('Option: unknown (none, --switch, --back or --empty)');
  // Nothing here needs SECRET_KEY.
  const { eventStore, ...settings } = readSettings({ SECRET_KEY: 'x'.repeat(32), ...processEnvironment() });
  if (eventStore.kind === 'postgres')
    throw new StartupError('EVENT_STORE_URL: missing (it names the ClickHouse to copy to, and with --back from)');
  const undo: (() => Promise<void>)[] = [];
  try {
    const embedded = settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: settings.dataDir, onProblem: warn }) : null;
    if (embedded) undo.push(embedded.stop);
    const databases = openDatabases({ url: embedded?.url ?? settings.databaseUrl ?? '', onError: () => undefined });
    undo.push(databases.close);
    const engine = await openClickHouse(eventStore, databases, { onProblem: warn, timeoutFactor });
    undo.push(engine.close);
    await prepareDatabase(databases.opsDb);
    let copied = 0;
    await command.run({
      databases,
      engine,
      serverOffset: settings.console.utcOffset,
      retentionDays: settings.eventRetentionDays,
      now: fromDate(new Date()),
      onDay(day) {
        copied += day.copied;
        report(day);
      },
    });
    process.stdout.write(`${copied} events copied; ${command.done}.\n`);
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

/** A line for each day, which a terminal shows one over the other. */
function report({ day, copied, done, days }: CopiedDay): void {
  const line = `${day}: ${copied === 0 ? 'agrees' : `${copied} events copied`} (day ${done} of ${days})`;
  process.stdout.write(process.stdout.isTTY ? `\r${line.padEnd(70)}${done === days ? '\n' : ''}` : `${line}\n`);
}

function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  const isExpected =
    error instanceof StartupError || isDatabaseUnavailable(error) || isDatabaseRejection(error) || isEngineUnavailable(error);
  if (!(error instanceof Error && isExpected)) throw error;
  warn(error instanceof StartupError ? error.message : `${error.message} (run the command again: it continues)`);
  process.exitCode = 1;
}

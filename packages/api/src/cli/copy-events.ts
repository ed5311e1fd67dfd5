import { fromDate } from '@switchyard/contract/dates';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { prepareDatabase } from '../database/prepare-database.ts';
import { openClickHouse } from '@switchyard/traffic-store/clickhouse/open-clickhouse';
import type { CopiedDay } from '@switchyard/traffic-store/copy/copy-days';
import { copyEvents, emptyPostgres, moveBack, type MoveOptions, switchToEngine } from '@switchyard/traffic-store/copy/move-events';
import { expectedProblem } from './expected-problem.ts';
import { tell, warn, withDatabase } from './with-database.ts';

type Step = { run: (options: MoveOptions) => Promise<void>; doneMessage: string };

const steps = {
  copy: { run: copyEvents, doneMessage: 'both stores agree. Run switchyard events copy --switch to move the events to ClickHouse' },
  switch: { run: switchToEngine, doneMessage: 'the events are in ClickHouse. Start the console with EVENT_STORE_URL' },
  back: { run: moveBack, doneMessage: 'the events are in PostgreSQL. Start the console without EVENT_STORE_URL' },
  empty: { run: emptyPostgres, doneMessage: 'PostgreSQL holds no events any more' },
} as const satisfies Readonly<Record<string, Step>>;

/** Queries over days take longer than those of lists. */
const timeoutFactor = 60;

/** Copies events between PostgreSQL and ClickHouse. */
export async function runCopy(step: keyof typeof steps): Promise<void> {
  const { run, doneMessage } = steps[step];
  let copiedEvents = 0;
  const onDay = (day: CopiedDay): void => {
    copiedEvents += day.copiedEvents;
    report(day);
  };
  try {
    await withDatabase(
      async ({ settings, databases }) => {
        if (settings.eventStore.kind === 'postgres')
          throw new StartupError('EVENT_STORE_URL: missing (it names the ClickHouse to copy to, and with --back from)');
        const engine = await openClickHouse(settings.eventStore, databases, { onProblem: warn, timeoutFactor });
        try {
          await prepareDatabase(databases.opsDb);
          const serverOffset = settings.console.utcOffset;
          await run({ databases, engine, serverOffset, retentionDays: settings.eventRetentionDays, now: fromDate(new Date()), onDay });
        } finally {
          await engine.close();
        }
      },
      { needsKey: false },
    );
  } catch (error) {
    const problem = error instanceof StartupError ? null : expectedProblem(error);
    if (problem === null) throw error;
    throw new StartupError(`${problem} (run the command again: it continues)`, { cause: error });
  }
  tell(`${copiedEvents} events copied; ${doneMessage}.`);
}

/** Prints a line for each day. A terminal shows one over the other. */
function report({ day, copiedEvents, doneDays, days }: CopiedDay): void {
  const line = `${day}: ${copiedEvents === 0 ? 'agrees' : `${copiedEvents} events copied`} (day ${doneDays} of ${days})`;
  process.stdout.write(process.stdout.isTTY ? `\r${line.padEnd(70)}${doneDays === days ? '\n' : ''}` : `${line}\n`);
}

import { parseArgs } from 'node:util';

/** What the command line asks for. */
export type BenchArguments = {
  /** How many events to load before measuring. */
  events: number;
  /** File for the figures as JSON; null: only the table is printed. */
  jsonFile: string | null;
  /** Folder in which the loaded database stays and is used again; null: a temporary one. */
  keep: string | null;
  /** Whether a few repetitions are enough, to see that everything can still be measured. */
  isQuick: boolean;
};

/**
 * Reads `--events N` (default 1,000,000), `--json FILE`, `--keep FOLDER` and `--quick`. Throws an Error in one line for
 * anything else.
 */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: { events: { type: 'string' }, json: { type: 'string' }, keep: { type: 'string' }, quick: { type: 'boolean' } },
  });
  const events = Number((values.events ?? '1000000').replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(events) || events < 1000) throw new Error('--events must be a whole number of at least 1000');
  return { events, jsonFile: values.json ?? null, keep: values.keep ?? null, isQuick: values.quick ?? false };
}

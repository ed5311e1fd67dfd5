import { parseArgs } from 'node:util';
import { type StoreName, stores } from './raw-events.ts';

/** Arguments of the command line. */
export type BenchArguments = {
  /** Where events live. */
  store: StoreName;
  /** How many events to load before measuring. */
  events: number;
  /** File for the figures as JSON; null: only the table is printed. */
  jsonFile: string | null;
  /** Folder in which the loaded database stays and is used again; null: a temporary one. */
  keep: string | null;
  /** Whether a few repetitions are enough, to see that everything can still be measured. */
  isQuick: boolean;
  /** Which groups of measurements to make, e.g. `lists`; null: all. */
  only: readonly string[] | null;
};

/**
 * Reads `--store clickhouse` (default postgres), `--events N` (default 1,000,000), `--json FILE`, `--keep FOLDER`, `--only GROUP,GROUP` and `--quick`. Throws an
 * Error in one line for anything else.
 */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      store: { type: 'string' },
      events: { type: 'string' },
      json: { type: 'string' },
      keep: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean' },
    },
  });
  const store = stores.find((name) => name === (values.store ?? 'postgres'));
  if (store === undefined) throw new Error(`--store must be one of ${stores.join(', ')}`);
  return {
    store,
    events: readCount(values.events ?? '1000000', '--events'),
    jsonFile: values.json ?? null,
    keep: values.keep ?? null,
    isQuick: values.quick ?? false,
    only: values.only?.split(',') ?? null,
  };
}

/** A number of rows, in which `_` and `,` may part the digits. Throws an Error that names the option. */
export function readCount(text: string, option: string): number {
  const count = Number(text.replaceAll(/[_,]/g, ''));
  if (!Number.isSafeInteger(count) || count < 1000) throw new Error(`${option} must be a whole number of at least 1000`);
  return count;
}

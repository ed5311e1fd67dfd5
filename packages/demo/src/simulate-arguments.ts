import { parseArgs } from 'node:util';

/** Arguments of `npm run simulate`. */
export type SimulateArguments = {
  /** Events a second. */
  rate: number;
  /** For so many seconds; null until Ctrl-C. */
  seconds: number | null;
  url: string | null;
  token: string | null;
  /** Bundles to play instead of the demo's. */
  bundles: readonly string[];
};

/** The command line cannot be understood; the message says which part. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `Usage: npm run simulate -- --rate N --for S [--url U --token T] [--bundles A,B]

  --rate N       events a second, 1 to 20000
  --for S        for so many seconds (without it: until Ctrl-C)
  --url U        address of the console, default http://127.0.0.1:PORT
  --token T      token of a traffic server; without it those of the demo in DATA_DIR
  --bundles A,B  bundles of the apps that get the traffic; without it the demo's
`;

const mostEvents = 20_000;

/**
 * Reads the command line of `npm run simulate`; null means that help was asked for.
 * @throws UsageError in one line
 */
export function readArguments(args: readonly string[]): SimulateArguments | null {
  const values = parse(args);
  if (values.help) return null;
  if (values.rate === undefined) throw new UsageError('--rate is missing: how many events a second?');
  return {
    rate: wholeNumber('--rate', values.rate, mostEvents),
    seconds: values.for === undefined ? null : wholeNumber('--for', values.for, 31_536_000),
    url: values.url === undefined ? null : address(values.url),
    token: values.token ?? null,
    bundles: (values.bundles ?? '').split(',').flatMap((bundle) => (bundle.trim() === '' ? [] : [bundle.trim()])),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const options = { rate: text, for: text, url: text, token: text, bundles: text, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: string, value: string, most: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > most) throw new UsageError(`${name} must be a whole number from 1 to ${most}, not ${JSON.stringify(value)}.`);
  return number;
}

function address(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url must be an address such as http://127.0.0.1:3000, not ${JSON.stringify(value)}.`);
  return value.replace(/\/+$/, '');
}

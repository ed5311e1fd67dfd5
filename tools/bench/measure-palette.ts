import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const appCount = 10_000;
const accountCount = 100_000;

/** Words of names, so that some texts are in thousands of rows and others in a few. */
const word = (list: string, by: string): string => `(array[${list}])[1 + ${by}]`;
const first = `'Golden','Lucky','Royal','Neon','Emerald','Velvet','Turbo','Silver','Ruby','Aztec','Spin','Derby'`;
const second = `'Compass','Harbor','Ledger','Jackpot','Poker','Table','Dice','Rush','Reels','Meadow','Atlas'`;
const person = `'Anna','Boris','Carla','Dmitri','Elena','Farid','Greta','Hassan','Ivan','Julia','Karim','Lena','Marek'`;
const family = `'Petrova','Schmidt','Okafor','Lindqvist','Moreau','Tanaka','Kowalski','Silva','Novak','Haddad','Olsen'`;

/** What is typed into the palette, and how often such a text occurs. */
const texts = {
  rare: (round: number) => `harbor ${(round * 37) % appCount}`,
  frequent: () => 'com.',
  person: () => 'petrova 77',
  typo: () => 'komwalski',
  nothing: () => 'qqzzxx',
};

/**
 * The search of the command palette where there are as many apps and accounts as the performance document plans for. These stay:
 * looking for what refers to a hundred thousand accounts takes minutes, so this group is the last.
 */
export async function measurePalette({ admin, raw, repeat, isQuick }: BenchContext): Promise<Measure[]> {
  await raw.query(`insert into apps (name, bundle, domain, vertical, response_message)
    select ${word(first, 'n % 12')} || ' ' || ${word(second, 'n % 11')} || ' ' || n, 'com.sought.app' || n, 'sought' || n || '.bench.example', 'bet', '{}'
    from generate_series(1, ${isQuick ? 100 : appCount}) n on conflict do nothing`);
  await raw.query(`insert into accounts (panel, name, email, has_access)
    select case when n % 3 = 0 then 'buyer' else 'user' end, ${word(person, 'n % 13')} || ' ' || ${word(family, 'n % 11')} || ' ' || n, 'sought-' || n || '@example.com', true
    from generate_series(1, ${isQuick ? 1_000 : accountCount}) n on conflict do nothing`);
  await raw.query('analyze apps, accounts');
  const find = (text: string) => admin.get(`search?q=${encodeURIComponent(text)}`);
  const calls = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, (round: number) => find(text(round))]));
  const found = await sampleInTurn(repeat(40), calls);
  return Object.entries(found).map(([name, { p50 }]) => limitMeasure(`palette_${name}_p50`, p50, 'ms', 30));
}

import type { ApiClient } from './api-client.ts';
import type { BenchContext } from './bench-context.ts';
import type { Measure } from './report.ts';
import { each, timeCalls, within } from './time-calls.ts';

const appCount = 10_000;
const accountCount = 100_000;
const streamCount = 100_000;

/** Words of names, so that some texts are in thousands of rows and others in a few. */
const word = (list: string, by: string): string => `(array[${list}])[1 + ${by}]`;
const first = `'Golden','Lucky','Royal','Neon','Emerald','Velvet','Turbo','Silver','Ruby','Aztec','Spin','Derby'`;
const second = `'Compass','Harbor','Ledger','Jackpot','Poker','Table','Dice','Rush','Reels','Meadow','Atlas'`;
const person = `'Anna','Boris','Carla','Dmitri','Elena','Farid','Greta','Hassan','Ivan','Julia','Karim','Lena','Marek'`;
const family = `'Petrova','Schmidt','Okafor','Lindqvist','Moreau','Tanaka','Kowalski','Silva','Novak','Haddad','Olsen'`;

/** A text typed into the palette: how often it occurs, and its mistake. */
const texts = {
  rare: (round: number) => `harbor ${(round * 37) % appCount}`,
  frequent: () => 'com.',
  everywhere: () => 'example.com',
  person: () => 'petrova 77',
  address: () => 'sought-777@example.com',
  uid: (round: number) => `st_${round * 37}`,
  letter: () => 'a',
  long: () => 'harbor '.repeat(14),
  foreign: () => 'петрова 77',
  pictures: () => '🎰🎰🎰',
  typo: () => 'komwalski',
  typo_short: () => 'lukcy',
  typo_words: () => 'golden harbro 7',
  typo_foreign: () => 'петрвоа 77',
  typo_address: () => 'soguht-777@example.com',
  nothing: () => 'qqzzxx',
};

const find = async (as: ApiClient, text: string) => as.get(`search?q=${encodeURIComponent(text)}`);

/**
 * The search of the command palette where there are as many apps, accounts and streams as the performance document plans for. They
 * stay in the database: deleting a hundred thousand accounts with their references takes minutes, so this group is the last.
 */
export async function measurePalette({ admin, ofSomeApps, databases, repeat, isQuick }: BenchContext): Promise<Measure[]> {
  const { ops } = databases.pools;
  await ops.query(`insert into apps (name, bundle, domain, vertical, response_message)
    select ${word(first, 'n % 12')} || ' ' || ${word(second, 'n % 11')} || ' ' || n, 'com.sought.app' || n, 'sought' || n || '.bench.example', 'bet', '{}'
    from generate_series(1, ${isQuick ? 100 : appCount}) n on conflict do nothing`);
  await ops.query(`insert into accounts (panel, name, email, has_access)
    select case when n % 3 = 0 then 'buyer' else 'user' end, ${word(person, 'n % 13')} || ' ' || ${word(family, 'n % 11')} || ' ' || n, 'sought-' || n || '@example.com', true
    from generate_series(1, ${isQuick ? 1_000 : accountCount}) n on conflict do nothing`);
  await ops.query(`insert into streams (uid, app_id, buyer_id, name, created_at, updated_at)
    select 'st_' || n, apps.id, (select min(id) from accounts where panel = 'buyer'), ${word(second, 'n % 11')} || ' stream ' || n, now(), now()
    from generate_series(1, ${isQuick ? 1_000 : streamCount}) n join apps on bundle = 'com.sought.app' || 1 + n % ${isQuick ? 100 : appCount}
    on conflict do nothing`);
  await ops.query('vacuum analyze apps, accounts, streams');
  const calls = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`palette_${name}`, (round: number) => find(admin, text(round))])),
    palette_some_apps: () => find(ofSomeApps, 'com.'),
    palette_some_apps_typo: () => find(ofSomeApps, texts.typo_words()),
  };
  return timeCalls(repeat(40), each(calls, within(30)));
}

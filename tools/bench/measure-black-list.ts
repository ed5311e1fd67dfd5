import type { BenchContext } from './bench-context.ts';
import type { Measure } from './report.ts';
import { each, shown, timeCalls, within } from './time-calls.ts';

const entryCount = 1_000_000;

/** Searches of the black list with a million addresses of 16 blocks, every thousandth with a reason of its own. */
export async function measureBlackList({ admin, databases, repeat }: BenchContext): Promise<Measure[]> {
  const rows = databases.pools.ops;
  await rows.query(`insert into black_ips (ip, reason, source, created_at, updated_at)
    select host('11.0.0.0'::inet + (nth % 16) * 16777216::bigint + nth * 7), case nth % 1000 when 0 then 'case ' || nth else 'listed' end,
      case nth % 2 when 0 then 'firehol' else 'ipsum' end, now() - nth * interval '1 s', now() - nth * interval '1 s'
    from generate_series(1, ${entryCount}) nth`);
  await rows.query('vacuum analyze black_ips');
  const calls = (name: string, search: string) => ({
    [`entries_${name}`]: async () => admin.get(`black-list/entries?search=${encodeURIComponent(search)}`),
    [`black_list_${name}`]: async () => admin.get(`black-list?search=${encodeURIComponent(search)}`),
  });
  try {
    return await timeCalls(repeat(20), {
      ...each({ entries_first_page: () => admin.get('black-list/entries'), black_list_first_page: () => admin.get('black-list') }, shown()),
      ...each(
        {
          ...calls('address', '11.0.0.112'),
          ...calls('part_of_an_address', '26.31.24'),
          ...calls('reason', 'case 770000'),
          ...calls('nothing', 'no such text'),
          ...calls('common_reason', 'case'),
        },
        within(50),
      ),
      entries_network: [() => admin.get('black-list/entries?search=11.0.0.0/16'), within(50)],
      // The total is exact, so each of a sixteenth and of half of the entries is counted.
      ...each({ ...calls('a_sixteenth', '26.'), ...calls('half', 'firehol') }, shown()),
    });
  } finally {
    await rows.query('delete from black_ips');
  }
}

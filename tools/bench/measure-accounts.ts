import type { BenchContext } from './bench-context.ts';
import { limitMeasure, type Measure, shownMeasure } from './report.ts';
import { sampleInTurn } from './sample.ts';

const accountCount = 5_000;

/** Lists of staff accounts where there are as many as the performance document plans for. */
export async function measureAccounts({ admin, databases, repeat }: BenchContext): Promise<Measure[]> {
  // Without the limit of a page's statements: deleting accounts looks for each in all tables that refer to them.
  const rows = databases.pools.ops;
  await rows.query(`insert into accounts (panel, name, email, has_access)
    select 'user', 'Listed ' || nth, 'listed-' || nth || '@example.com', true from generate_series(1, ${accountCount}) nth`);
  await rows.query(`insert into account_roles (account_id, role_id, panel) select id, 3, 'user' from accounts where name like 'Listed %'`);
  await rows.query('analyze accounts, account_roles');
  try {
    const durations = await sampleInTurn(repeat(20), { pick: () => admin.get('users/list'), whole: () => admin.get('users') });
    return [
      limitMeasure(`users_to_pick_${accountCount}_p50`, durations.pick.p50, 'ms', 50),
      shownMeasure(`users_${accountCount}_p50`, durations.whole.p50, 'ms'),
    ];
  } finally {
    await rows.query(`delete from account_roles where account_id in (select id from accounts where name like 'Listed %')`);
    await rows.query(`delete from accounts where name like 'Listed %'`);
  }
}

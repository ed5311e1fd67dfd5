import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext } from './bench-context.ts';
import type { Measure } from './report.ts';
import { shown, timeCalls, within } from './time-calls.ts';

const staffCount = 5_000;
const accountCount = 10_000;

/** Roles of the staff and of the buyers, by their ids. */
const roles = { staff: 3, buyers: 5 };

/** Calls on accounts where there are as many as the performance document plans for: half of them staff, half buyers. */
export async function measureAccounts({ admin, databases, repeat }: BenchContext): Promise<Measure[]> {
  // Without the limit of a page's statements: deleting accounts looks for each in all tables that refer to them.
  const rows = databases.pools.ops;
  await rows.query(`insert into accounts (panel, name, email, has_access)
    select case when nth <= ${staffCount} then 'user' else 'buyer' end, 'Listed ' || nth, 'listed-' || nth || '@example.com', true
    from generate_series(1, ${accountCount}) nth`);
  await rows.query(`insert into account_roles (account_id, role_id, panel)
    select id, case panel when 'user' then ${roles.staff} else ${roles.buyers} end, panel from accounts where name like 'Listed %'`);
  await rows.query('analyze accounts, account_roles');
  try {
    return await timeCalls(repeat(20), {
      [`users_to_pick_${staffCount}`]: [() => admin.get('users/list'), within(50)],
      [`users_${staffCount}`]: [() => admin.get('users'), within(50)],
      [`who_can_${accountCount}`]: [() => admin.get('roles/who-can?permission=manager_app_edit'), within(100)],
      [`who_can_${accountCount}_anything`]: [() => admin.get('roles/who-can'), within(100)],
      [`who_can_${accountCount}_page`]: [() => admin.get('roles/who-can/page?search=999'), within(100)],
      [`role_preview_${accountCount}`]: [() => admin.get(`roles/${roles.staff}/preview?permission_ids=4`), within(100)],
    });
  } finally {
    await rows.query(`delete from account_roles where account_id in (select id from accounts where name like 'Listed %')`);
    await rows.query(`delete from accounts where name like 'Listed %'`);
  }
}

const words = ['cloud', 'telecom', 'hurricane', 'amazon.com', 'university', 'bank', 'hosting', 'no such name'];

/** Searches over the whole registry of autonomous systems. */
export async function measureAsns({ admin, raw, repeat }: BenchContext): Promise<Measure[]> {
  await registryLoaded(raw);
  const search = (textOf: (round: number) => string) => (round: number) =>
    admin.get(`octopus-app/asn?search=${encodeURIComponent(textOf(round))}`);
  return timeCalls(repeat(60), {
    asn_search_text: [search((round) => words[round % words.length] ?? ''), within(50, 'p95')],
    asn_search_code: [search((round) => `AS${1 + ((round * 977) % 60_000)}`), within(50, 'p95')],
    asn_search_ip: [search((round) => `${1 + ((round * 37) % 200)}.${(round * 91) % 256}.1.1`), within(50, 'p95')],
    asn_search_common_text: [search(() => 'net'), shown('p95')],
    asn_search_one_letter: [search(() => 'a'), shown('p95')],
    asn_first_page: [() => admin.get('octopus-app/asn'), shown('p95')],
  });
}

/** The console loads the packaged registry beside its other work when it starts for the first time. */
export async function registryLoaded(raw: BenchContext['raw']): Promise<void> {
  for (let waits = 0; waits < 600; waits += 1) {
    const { rows } = await raw.query('select from registry_loads');
    if (rows.length > 0) return;
    await delay(200);
  }
  throw new Error('the registry of autonomous systems was not loaded');
}

import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import { pushSuccesses } from '@switchyard/contract/pushes';
import type pg from 'pg';
import type { NewPush } from '../../push-store.ts';

/** What of a push is counted. */
type CountedPush = { appId: number; status: string; sendAt: Microseconds };
/** A push that is new, or one that changed. */
export type PushChange = { before: CountedPush | null; after: NewPush };

const addTotals = `insert into push_totals as kept (app_id, is_success, delivered, stored)
  select app_id, is_success, change, change from json_to_recordset($1) as changes (app_id integer, is_success boolean, change bigint)
  order by app_id, is_success
  on conflict (app_id, is_success) do update set delivered = kept.delivered + excluded.delivered, stored = kept.stored + excluded.stored`;

const addDays = `insert into push_days as kept (day, app_id, is_success, stored)
  select day, app_id, is_success, change from json_to_recordset($1) as changes (day date, app_id integer, is_success boolean, change bigint)
  order by day, app_id, is_success
  on conflict (day, app_id, is_success) do update set stored = kept.stored + excluded.stored`;

/** SQL of whether a push succeeded (AMB-077). */
export const isPushSuccess = `status in (${pushSuccesses.map((status) => `'${status}'`).join(', ')})`;

/** Counts what came and what changed; `offset` is the one in which days are cut. */
export async function addToPushCounts(client: pg.ClientBase, changes: readonly PushChange[], offset: string): Promise<void> {
  const totals = new Map<string, { app_id: number; is_success: boolean; change: number }>();
  const days = new Map<string, { day: string; app_id: number; is_success: boolean; change: number }>();
  const count = ({ appId, status, sendAt }: CountedPush, change: number): void => {
    const key = { app_id: appId, is_success: pushSuccesses.includes(status) };
    add(totals, key, change);
    add(days, { day: dayOf(sendAt, offset), ...key }, change);
  };
  for (const { before, after } of changes) {
    if (before) count(before, -1);
    count(after, 1);
  }
  await store(client, 'count-pushes', addTotals, totals);
  await store(client, 'count-push-days', addDays, days);
}

function add<Key extends object>(sums: Map<string, Key & { change: number }>, key: Key, change: number): void {
  const name = JSON.stringify(key);
  sums.set(name, { ...key, change: (sums.get(name)?.change ?? 0) + change });
}

async function store(client: pg.ClientBase, name: string, text: string, sums: ReadonlyMap<string, { change: number }>): Promise<void> {
  const changed = [...sums.values()].filter((sum) => sum.change !== 0);
  if (changed.length > 0) await client.query({ name, text, values: [JSON.stringify(changed)] });
}

import { createOwnToken } from '@switchyard/contract/api-tokens';
import { createBoard } from '@switchyard/contract/boards';
import { createTile, getDashboard, updateLayout } from '@switchyard/contract/dashboard';
import { permissionId } from '@switchyard/contract/permissions';
import { chooseDefaultView, createView } from '@switchyard/contract/saved-views';
import { createSchedule, sendSchedule } from '@switchyard/contract/schedules';
import { deleteUser } from '@switchyard/contract/users';
import { callEndpoint as call, type Caller } from '../console/call-endpoint.ts';
import { hostileText, longText, type People } from './fill-accounts.ts';

/** Saves and shares views, boards, tiles and schedules, and deletes an account that shared some. */
export async function fillReports(admin: Caller, { mate, leaver, roleId }: People, channelIds: readonly number[]): Promise<{ id: number }> {
  const query = 'groupBy=country&measure=requests,payout';
  const columns = { hidden: ['asn'], shown: ['bot'], widths: { geo: 240 } };
  const view = await call(mate, createView, {
    body: { list: 'reports', name: hostileText, query, sharing: 'roles', role_ids: [roleId], columns },
  });
  const apps = await call(mate, createView, { body: { list: 'apps', name: longText(100), query: 'vertical=bet' } });
  const shared = await call(leaver, createView, { body: { list: 'reports', name: 'Of a leaver', query, sharing: 'everyone' } });
  for (const { list, id } of [apps, shared]) await call(mate, chooseDefaultView, { body: { list, id } });
  const shares = { role_ids: [roleId], account_ids: [mate.id] };
  const rights = { permission_ids: [permissionId('manager_app_statistics')], expires_in_days: 365 };
  await call(leaver, createOwnToken, { body: { ...rights, name: 'Of a leaver' } });
  await call(leaver, createBoard, { body: { name: 'Of a leaver', ...shares } });
  const board = await call(admin, createBoard, { body: { name: hostileText, query: 'period=yesterday&geo=DE', ...shares } });
  const tile = { name: longText(100), query, shape: 'chart', measure: 'requests' } as const;
  const tiles = [
    await call(admin, createTile, { body: { ...tile, role_ids: [roleId] } }),
    await call(admin, createTile, { body: { ...tile, board_id: board.id } }),
  ];
  await call(mate, createTile, { body: { view_id: view.id, shape: 'table', rows: 1_000, measure: null, role_ids: [roleId] } });
  for (const [at, board_id] of [null, board.id].entries()) {
    const { version } = await call(admin, getDashboard, { query: board_id === null ? {} : { board: board_id } });
    const places = [{ of: tiles[at]?.id ?? 0, x: 6, y: 0, w: 6, h: 4, is_hidden: at === 0 }];
    await call(admin, updateLayout, { body: { places, read_version: version, board_id } });
  }
  const times = { interval: 'month', month_day: 28, hour: 3 } as const;
  const schedule = await call(mate, createSchedule, {
    body: { name: hostileText, view_id: view.id, ...times, recipient_ids: [mate.id], channel_ids: [...channelIds], format: 'xlsx' },
  });
  await call(mate, createSchedule, { body: { name: 'Off', view_id: apps.id, ...times, recipient_ids: [mate.id], is_on: false } });
  await call(mate, createSchedule, { body: { name: 'Of a leaver', view_id: shared.id, ...times, recipient_ids: [mate.id] } });
  await call(mate, sendSchedule, { params: { id: schedule.id } });
  await call(admin, deleteUser, { params: { id: leaver.id }, body: {} });
  return schedule;
}

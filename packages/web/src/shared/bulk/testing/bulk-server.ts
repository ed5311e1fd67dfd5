import type { BelongingsSummary } from '@switchyard/contract/belongings';
import { bulkChange, type BulkEntityName, type BulkRow, type BulkRun } from '@switchyard/contract/bulk';
import { z } from 'zod';

const counts = { changed: 0, already: 0, denied: 0, conflict: 0, failed: 0 };
const sentRun = z.object({ change: bulkChange });

type Call = { method: string; path: string; body: unknown; search?: string };
type Answer = { status: number; body: unknown };
type Request = { method: string; body?: string | FormData };

export function pageOf(count: number, total: number) {
  const pages = { currentPage: 1, totalPages: 1, current_page: 1, last_page: 1, prev_cursor: null, next_cursor: null, links: [] };
  return { total, count, limit: 20, ...pages };
}

/** A server of bulk runs for tests: run 9 is checked at its first look, run 10 undoes it. */
export function createBulkServer(entity: BulkEntityName) {
  const posts: { path: string; body: unknown }[] = [];
  const ready: BulkRun = {
    id: 9,
    entity,
    change: null,
    undo_of: null,
    undone_by: null,
    state: 'ready',
    problem: null,
    total: 4,
    check: { ...counts, changed: 2, already: 1, denied: 1 },
    result: counts,
    created_at: '2026-11-20 10:00:00',
    started_at: null,
    finished_at: null,
  };
  let run = ready;
  let undoneRun = ready;
  let change: BulkRun['change'] = null;
  let belongings: BelongingsSummary | null | 'failed' = null;
  let blockedRows: readonly (readonly [label: string, requests: number])[] = [];

  /** Answers calls of bulk runs; null for others. */
  function answer({ method, path, body, search = '' }: Call): Answer | null {
    if (!path.startsWith('bulk/runs')) return null;
    if (method === 'POST') posts.push({ path, body });
    if (path.endsWith('/belongings'))
      return belongings === 'failed'
        ? { status: 500, body: { success: false, message: 'Server error' } }
        : { status: 200, body: { success: true, data: belongings } };
    if (path.endsWith('/blocked')) {
      const blocked = blockedRows.reduce((sum, [, count]) => sum + count, 0);
      return { status: 200, body: { success: true, data: blockedRows.length === 0 ? null : { blocked, all: 4 * blocked, unknown: 7 } } };
    }
    if (path.endsWith('/rows') && blockedRows.length > 0) {
      const found = blockedRows.filter(([label]) => label.toLowerCase().includes(search));
      const rows = found.map(([label, blocked]): BulkRow => ({ key: label, label, check: null, result: null, blocked }));
      return { status: 200, body: { success: true, data: rows, pagination: pageOf(rows.length, rows.length) } };
    }
    if (path.endsWith('/rows')) {
      const row: BulkRow = { key: '4', label: 'Delta', check: { result: 'denied', message: 'Not found' }, result: null, blocked: null };
      return { status: 200, body: { success: true, data: [row], pagination: pageOf(1, 1) } };
    }
    if (path === 'bulk/runs' && method === 'GET') return { status: 200, body: { success: true, data: [run], pagination: pageOf(1, 1) } };
    if (path === 'bulk/runs') {
      ({ change } = sentRun.parse(body));
      run = { ...ready, change, state: 'checking', check: counts };
    } else if (path === 'bulk/runs/9/start') run = { ...ready, change, state: 'running', started_at: '2026-11-20 10:00:01' };
    else if (path === 'bulk/runs/9/cancel') run = { ...run, state: 'cancelled', finished_at: '2026-11-20 10:00:03' };
    else if (path === 'bulk/runs/9/undo') [undoneRun, run] = [run, { ...ready, id: 10, undo_of: 9, check: { ...counts, changed: 2 } }];
    else if (path === 'bulk/runs/9' && run.id === 10) return { status: 200, body: { success: true, data: undoneRun } };
    else if (run.state === 'checking') run = { ...ready, change };
    return { status: method === 'POST' && /runs$|undo$/.test(path) ? 201 : 200, body: { success: true, data: run } };
  }
  /** Its answers, for `stubApi`. */
  function respond(url: string, { method, body }: Request): Response | null {
    const path = url.replace(/^.*\/api\//, '').replace(/\?.*/, '');
    const search = new URL(url, 'http://console').searchParams.get('search') ?? '';
    const found = answer({ method, path, search, body: typeof body === 'string' ? JSON.parse(body) : null });
    return found && Response.json(found.body, { status: found.status });
  }
  const finish = (): void => {
    run = { ...run, state: 'done', finished_at: '2026-11-20 10:00:03', result: { ...counts, changed: 1, conflict: 1 } };
  };
  /** Gives the rows of a ban by what it would have blocked: eleven are to be changed. */
  const block = (rows: typeof blockedRows): void => {
    blockedRows = rows;
    ready.check = { ...counts, changed: 11 };
  };
  /** Gives what hangs on the accounts of a run, or lets the call fail. */
  const hang = (given: typeof belongings): void => {
    belongings = given;
  };
  return { posts, answer, respond, finish, block, hang };
}

import type { AuditSealState } from '@switchyard/contract/audit-seals';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, impossibleFolder, loadTestAuditKeys, testKeys, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createAnchorFile } from '../../adapters/audit-anchor.ts';
import { createAuditMac, deriveAuditKey, type AuditMac } from '../../adapters/audit-mac.ts';
import { recordAudit, transaction } from '../../database/transaction.ts';
import type { LoadAuditKeys } from '../../secret-keys/derived-keys.ts';
import { sealEntries } from './seal-entries.ts';
import { verifyTrail } from './verify-trail.ts';

const { databases } = await createTestDatabase();
const api: TestApi = await buildTestApi({ databases });
const admin: SignedIn = await signInAs(databases, { role: 'Super Admin' });
const { ops } = databases.pools;

beforeEach(async () => {
  await ops.query('truncate audit_seals; truncate audit_entries restart identity');
  return async () => undefined;
});

const entry = (nth: number | string, changes: { field: string; from: unknown; to: unknown }[] = []) =>
  ({
    actor: { id: admin.accountId },
    entity: 'saved_view',
    action: 'update',
    id: nth,
    label: `view ${nth}`,
    request: { ip: '10.0.0.1', requestId: 'r', guardWrite: null },
    changes,
  }) as const;

async function write(count: number): Promise<void> {
  for (let nth = 1; nth <= count; nth++)
    await transaction(databases.db, async (tx) =>
      recordAudit(tx, entry(nth, [{ field: 'name', from: 'a', to: { nth, deep: [1.5, null, 'é'] } }])),
    );
}

/** Keys of a process that has this one alone. */
const loadOnly = (mac: AuditMac) => async () => ({
  current: () => mac,
  find: (keyId: string) => (keyId === mac.keyId ? { mac, lastSeal: null } : undefined),
});

const seal = async (loadKeys: LoadAuditKeys = loadTestAuditKeys) => {
  const trust = { anchor: null, isLossAcknowledged: false };
  return (await sealEntries({ databases, loadKeys, now: api.now }, trust)).newSeal;
};

/** Seals of four entries each, after `count` of them were written. */
async function sealed(batches: number): Promise<void> {
  for (let nth = 0; nth < batches; nth++) {
    await write(4);
    await seal();
  }
}

async function verify({ loadKeys = loadTestAuditKeys, anchors = [] }: { loadKeys?: LoadAuditKeys; anchors?: string[] } = {}): Promise<
  string[]
> {
  const lines: string[] = [];
  const file = createAnchorFile(impossibleFolder);
  const result = await verifyTrail({ db: databases.opsDb, loadKeys, anchors, file, tell: (line) => lines.push(line) });
  expect(result === 'changed').toBe(lines.length > 1);
  return lines.slice(0, -1);
}

describe('the sealed trail', () => {
  it('[IDN-040] is intact as written, over several seals, with entries that are not sealed yet', async () => {
    expect(await verify()).toEqual([]);
    await sealed(3);
    await write(2);
    expect(await verify()).toEqual([]);
    const { rows } = await ops.query('select id, to_id, cardinality(ids) as entries from audit_seals order by id');
    expect(rows).toEqual([1, 2, 3].map((id) => ({ id, to_id: id * 4, entries: 4 })));
    expect(await seal()).toMatchObject({ id: 4n, toId: '14' });
    expect(await seal()).toBeNull();
  });

  const columns = ['at', 'actor_id', 'action', 'entity', 'entity_id', 'entity_label', 'app_id', 'ip', 'request_id', 'changes'];
  it.each(columns)('[IDN-041][S47] shows that %s of an entry was changed', async (column) => {
    const { id: appId } = await createApp(databases);
    const other = await signInAs(databases, {});
    await sealed(3);
    const values: Record<string, unknown> = {
      at: '2020-01-01T00:00:00Z',
      actor_id: other.accountId,
      app_id: appId,
      ip: '10.0.0.2',
      changes: '[{"to": "b", "from": "a", "field": "name"}]',
    };
    await ops.query(`update audit_entries set ${column} = $1 where id = 6`, [values[column] ?? 'other']);
    expect(await verify()).toEqual(['entry 6 was changed (seal 2)']);
    await ops.query('update audit_entries set app_id = null');
  });

  it.each([
    ['a deleted entry', 'delete from audit_entries where id = 5', ['entry 5 was deleted (seal 2)']],
    [
      'deleted entries of a whole seal',
      'delete from audit_entries where id between 5 and 8',
      [5, 6, 7, 8].map((id) => `entry ${id} was deleted (seal 2)`),
    ],
    [
      'two swapped entries',
      'update audit_entries set id = case id when 2 then -3 else -2 end where id in (2, 3); update audit_entries set id = -id where id < 0',
      ['entry 2 was changed (seal 1)', 'entry 3 was changed (seal 1)'],
    ],
    [
      'an entry that was added in a gap',
      `insert into audit_entries (id, action, entity) overriding system value values (-1, 'login', 'session')`,
      ['entry -1 was added afterwards (seal 1)'],
    ],
    [
      'changed digests',
      `update audit_seals set digests = set_byte(digests, 3, (get_byte(digests, 3) + 1) % 256) where id = 2`,
      ['seal 2 was changed or moved', 'entry 5 was changed (seal 2)'],
    ],
    [
      'a changed time of a seal',
      `update audit_seals set sealed_at = sealed_at - interval '1 second' where id = 2`,
      ['seal 2 was changed or moved'],
    ],
    [
      'a changed MAC, which breaks the next seal too',
      `update audit_seals set mac = sha256(mac) where id = 2`,
      ['seal 2 was changed or moved', 'seal 3 was changed or moved'],
    ],
    [
      'a deleted seal',
      'delete from audit_seals where id = 2',
      ['seal 2 is missing', ...[5, 6, 7, 8].map((id) => `entry ${id} was added afterwards (seal 3)`)],
    ],
  ])('[IDN-041][S47] shows %s', async (_, statement, expected) => {
    await sealed(3);
    // Identity columns are changed in two steps only.
    await ops.query(
      `alter table audit_entries alter id drop identity; ${statement}; alter table audit_entries alter id add generated always as identity; select setval('audit_entries_id_seq', 12)`,
    );
    expect(await verify()).toEqual(expected);
  });

  it('[IDN-041][S47] shows swapped seals', async () => {
    await sealed(3);
    await ops.query(`update audit_seals set id = -id where id in (2, 3); update audit_seals set id = 5 + id where id < 0`);
    expect(await verify()).toEqual(expect.arrayContaining(['seal 2 was changed or moved', 'seal 3 was changed or moved']));
  });

  it('[IDN-041][S47] cannot be sealed or verified with another key', async () => {
    await sealed(2);
    const other = createAuditMac(deriveAuditKey('another secret key of 32 characters!'));
    expect(await verify({ loadKeys: loadOnly(other) })).toEqual(
      [1, 2].map((id) => `seal ${id} cannot be verified (made with another SECRET_KEY)`),
    );
    await ops.query('delete from audit_seals where id = 2; update audit_entries set action = $$x$$ where id = 7');
    await seal(loadOnly({ ...other, keyId: testKeys.main.auditKey.id }));
    expect(await verify()).toEqual(['seal 2 was changed or moved', ...[5, 6, 7, 8].map((id) => `entry ${id} was changed (seal 2)`)]);
  });

  it('[IDN-042][S47] compared with an anchor that was logged, shows a trail that was cut off and sealed again', async () => {
    await write(4);
    await api.maintain();
    const anchor = api
      .log()
      .map(({ msg }) => /sealed up to entry 4 \(anchor (1:[0-9a-f]{64})\)/.exec(String(msg))?.[1])
      .findLast((found) => found !== undefined);
    expect(await verify({ anchors: [anchor ?? ''] })).toEqual([]);
    await ops.query('truncate audit_seals; delete from audit_entries where id = 4');
    const lost = expect.stringMatching(/^seal 1 of the anchor 1:[0-9a-f]{12}… \(--anchor\) is missing or was replaced$/);
    expect(await verify({ anchors: [anchor ?? ''] })).toEqual([lost]);
    await seal();
    expect(await verify()).toEqual([]);
    expect(await verify({ anchors: [anchor ?? ''] })).toEqual([lost]);
    expect((await verify({ anchors: ['1'] }))[0]).toContain('anchor 1 is none');
  });

  it('[IDN-043] waits for writers that took a lower id and commit later, and never makes them wait', async () => {
    const late = await databases.pools.jobs.connect();
    try {
      await late.query('begin');
      await late.query(`insert into audit_entries (action, entity) values ('login', 'session')`);
      await write(2);
      expect(await seal()).toBeNull();
      expect((await ops.query('select from audit_seals')).rowCount).toBe(0);
      await late.query('commit');
      expect(await seal()).toMatchObject({ id: 1n, ids: ['1', '2', '3'] });
      // A rolled back id stays a gap.
      await late.query('begin');
      await late.query(`insert into audit_entries (action, entity) values ('login', 'session')`);
      await late.query('rollback');
      await write(1);
      expect(await seal()).toMatchObject({ id: 2n, ids: ['5'] });
      expect(await verify()).toEqual([]);
    } finally {
      late.release();
    }
  });

  it('[IDN-043] is made by one process at a time, without a gap, whatever writers do meanwhile', async () => {
    const writing = new AbortController();
    const writers = [1, 2, 3].map(async () => {
      while (!writing.signal.aborted) await write(1);
    });
    await Promise.all([1, 2, 3].map(async () => seal()));
    await seal();
    writing.abort();
    await Promise.all(writers);
    await seal();
    expect(await verify()).toEqual([]);
    const { rows } = await ops.query<{ sealed: number; entries: number }>(
      'select (select sum(cardinality(ids))::int from audit_seals) as sealed, (select count(*)::int from audit_entries) as entries',
    );
    expect(rows[0]?.sealed).toBe(rows[0]?.entries);
  });

  it('[IDN-041] whatever single row is changed, names exactly that entry', async () => {
    await sealed(3);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom('entity_label', 'request_id', 'action'),
        fc.string({ minLength: 1, maxLength: 9 }),
        async (id, column, text) => {
          const before = (await ops.query(`select ${column} as value from audit_entries where id = $1`, [id])).rows[0]?.value;
          const value = text.replaceAll('\0', '0');
          await ops.query(`update audit_entries set ${column} = $1 where id = $2`, [value, id]);
          const found = await verify();
          await ops.query(`update audit_entries set ${column} = $1 where id = $2`, [before, id]);
          expect(found).toEqual(value === before ? [] : [`entry ${id} was changed (seal ${Math.ceil(id / 4)})`]);
        },
      ),
      { numRuns: 25 },
    );
    expect(await verify()).toEqual([]);
  });
});

describe('GET audit/seal', () => {
  it('[IDN-044] returns the state of the trail, and details only to readers of all apps', async () => {
    await write(4);
    const fresh = await buildTestApi({ databases });
    const of = async (caller = admin): Promise<AuditSealState> => (await fresh.call('GET', '/api/audit/seal', caller)).body.data;
    expect(await of()).toMatchObject({ state: 'checking', verified_at: null, sealed_until: null });
    await fresh.maintain();
    expect(await of()).toMatchObject({ state: 'intact', sealed_entries: 4, total_problems: 0, problems: [] });

    await ops.query(`update audit_entries set action = 'delete' where id = 3`);
    await fresh.maintain();
    expect(await of()).toMatchObject({
      state: 'broken',
      total_problems: 1,
      problems: [{ kind: 'entry-changed', seal_id: '1', entry_id: '3' }],
    });
    expect(fresh.log().some(({ level, msg }) => level === 50 && msg === 'Audit trail: entry 3 was changed (seal 1)')).toBe(true);
    const restricted = await signInAs(databases, { role: 'Super Admin', apps: [] });
    expect(await of(restricted)).toMatchObject({ state: 'broken', sealed_entries: null, total_problems: null, problems: null });
    const without = await signInAs(databases, { permissions: ['manager_app_edit'] });
    expect((await api.call('GET', '/api/audit/seal', without)).status).toBe(403);
    await fresh.app.close();
  });
});

describe('GET audit/download', () => {
  it('[IDN-045] writes what the list shows as JSON lines, with its filters and scope, and records it', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    for (const app of [own, foreign])
      await transaction(databases.db, async (tx) =>
        recordAudit(tx, { ...entry(app.id), entity: 'app', action: 'update', appId: app.id, label: '=1+1\n"x"' }),
      );
    await write(5);
    const read = async (query: string, caller = admin) => {
      const { statusCode, headers, body } = await api.app.inject({ url: `/api/audit/download?${query}`, headers: caller.headers });
      expect([statusCode, headers['content-type'], headers['content-disposition']]).toEqual([
        200,
        'application/x-ndjson',
        'attachment; filename="activity.jsonl"',
      ]);
      return body
        .split('\n')
        .slice(0, -1)
        .map((line): { entity: string } => JSON.parse(line));
    };
    const listed = async (query: string, caller = admin) => (await api.call('GET', `/api/audit?limit=200&${query}`, caller)).body.data;
    expect(await read('entity=app,saved_view')).toEqual(await listed('entity=app,saved_view'));
    expect((await read('')).map(({ entity }) => entity).slice(0, 2)).toEqual(['activity', 'activity']);
    expect(await read('search=view%203')).toEqual(await listed('search=view%203'));
    const restricted = await signInAs(databases, { role: 'Super Admin', apps: [own.id] });
    const rows = await read('entity=app', restricted);
    expect(rows).toEqual(await listed('entity=app', restricted));
    expect(rows).toMatchObject([{ entity_id: String(own.id) }]);
  });
});

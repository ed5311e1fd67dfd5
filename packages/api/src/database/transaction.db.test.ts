import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../test/sign-in-as.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { recordAudit, recordAudits, transaction, unaudited, unchanged, type OpenTransaction } from './transaction.ts';

const { databases } = await createTestDatabase();
const request = { requestId: '0f8fad5b-d9cb-469f-a165-70867728950e', ip: '2001:db8::7', guardWrite: null };
let actor: SignedIn;

beforeAll(async () => {
  actor = await signInAs(databases, { role: 'Admin' });
});

const entries = async () => databases.db.selectFrom('audit_entries').selectAll().orderBy('id').execute();

/** An entry that says that an app was changed. */
function updateOf({ id, name }: { id: number; name: string }) {
  return { entity: 'app', action: 'update', id, label: name, appId: id, request } as const;
}

describe('the audit trail', () => {
  it('keeps who, what, where and which fields, and shows no secret and no unchanged field', async () => {
    const app = await createApp(databases);
    await transaction(databases.db, async (tx) =>
      recordAudit(tx, {
        actor: { id: actor.accountId },
        ...updateOf(app),
        changes: [
          { field: 'domain', from: 'old.example', to: 'new.example' },
          { field: 'vertical', from: 'bet', to: 'bet' },
          { field: 'keys.apiSecret', from: 'canary-old', to: 'canary-new' },
          { field: 'password', from: null, to: 'canary-password' },
        ],
      }),
    );
    const [entry] = await entries();
    expect(entry).toMatchObject({
      actor_id: actor.accountId,
      action: 'update',
      entity: 'app',
      entity_id: String(app.id),
      entity_label: app.name,
      app_id: app.id,
      ip: '2001:db8::7',
      request_id: request.requestId,
      changes: [
        { field: 'domain', from: 'old.example', to: 'new.example' },
        { field: 'keys.apiSecret', from: null, to: null },
        { field: 'password', from: null, to: null },
      ],
    });
    const { rows } = await databases.pools.ui.query<{ text: string }>('select audit_entries::text as text from audit_entries');
    expect(rows.map((row) => row.text).join()).not.toContain('canary');
  });

  it('is rolled back with its write', async () => {
    const before = await entries();
    const brokenWrite = transaction(databases.db, async (tx) => {
      await recordAudit(tx, {
        actor: null,
        entity: 'session',
        action: 'login_failed',
        id: null,
        label: 'a@example.com',
        request,
      });
      throw new Error('the write failed');
    });
    await expect(brokenWrite).rejects.toThrow('the write failed');
    expect(await entries()).toEqual(before);
  });

  it('takes rows without actor, entity or call, and cuts a label that is too long', async () => {
    await transaction(databases.db, async (tx) =>
      recordAudit(tx, {
        actor: null,
        entity: 'log',
        action: 'delete',
        id: '2026-11-20',
        label: 'é'.repeat(400),
        request: null,
      }),
    );
    const entry = (await entries()).at(-1);
    expect(entry).toMatchObject({ actor_id: null, entity_id: '2026-11-20', ip: null, request_id: null, app_id: null, changes: [] });
    expect(entry?.entity_label).toHaveLength(255);
  });

  it('[AMB-189] commits a write with its entry and gives the result of the command', async () => {
    const app = await createApp(databases);
    const event = { actor: null, ...updateOf(app) };
    const result = await transaction(databases.db, async (tx) => {
      await tx.updateTable('apps').set({ monitor_name: 'audited' }).where('id', '=', app.id).execute();
      return recordAudit(tx, event, 'done');
    });
    expect(result).toBe('done');
    expect(await monitorOf(app.id)).toBe('audited');
    expect((await entries()).at(-1)).toMatchObject({ entity: 'app', entity_id: String(app.id) });
  });

  it('[AMB-189] rolls back what a command wrote that gives no entry', async () => {
    const app = await createApp(databases);
    const before = await entries();
    for (const finish of [async () => unchanged('same'), async (tx: OpenTransaction) => recordAudits(tx, [], 'same')]) {
      const result = await transaction(databases.db, async (tx) => {
        await tx.updateTable('apps').set({ monitor_name: 'unseen' }).where('id', '=', app.id).execute();
        return finish(tx);
      });
      expect(result).toBe('same');
      expect(await monitorOf(app.id)).not.toBe('unseen');
    }
    expect(await entries()).toEqual(before);
  });

  it('[AMB-189] commits without an entry only for a command that gives a reason', async () => {
    const app = await createApp(databases);
    const before = await entries();
    await transaction(databases.db, async (tx) => {
      await tx.updateTable('apps').set({ monitor_name: 'counted' }).where('id', '=', app.id).execute();
      return unaudited('for this test', undefined);
    });
    expect(await monitorOf(app.id)).toBe('counted');
    expect(await entries()).toEqual(before);
  });
});

async function monitorOf(id: number): Promise<string | null> {
  return (await databases.db.selectFrom('apps').select('monitor_name').where('id', '=', id).executeTakeFirstOrThrow()).monitor_name;
}

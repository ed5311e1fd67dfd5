import { beforeAll, describe, expect, it } from 'vitest';
import { newAppForm, trailOfApp } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const times = async <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, async (_, i) => run(i)));

/** As a client does it: a call that found no free connection kept nothing and is sent again (api 0.3). */
const insist: TestApi['call'] = async (...request) => {
  const answer = await api.call(...request);
  return answer.status === 503 ? insist(...request) : answer;
};

describe('writes at the same moment', () => {
  it.each(['name', 'bundle', 'domain'] as const)(
    'creates one of twenty apps with the same %s and rejects nineteen with the reason',
    async (field) => {
      const sharedForm = newAppForm();
      const answers = await times(20, async (index) => {
        const value = index % 2 === 0 ? sharedForm[field] : sharedForm[field].toUpperCase();
        return insist('POST', '/api/apps', { ...admin, body: { ...newAppForm(), [field]: value } });
      });
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
      const losers = answers.filter((answer) => answer.status === 422).map((answer) => answer.body.errors);
      expect(losers).toHaveLength(19);
      for (const errors of losers) expect(errors[field][0]).toMatch(/^The ".+" .+ was previously used\.$/);
    },
  );

  it('accepts exactly one of 100 conflicting saves on each of five versions and returns 412 for the others', async () => {
    const { body } = await insist('POST', '/api/apps', { ...admin, body: newAppForm() });
    const { id } = body.data;
    const winningTexts: string[] = [];
    for (let version = 1; version <= 5; version += 1) {
      const answers = await times(100, async (index) => {
        const text = `v${version} #${index}`;
        const headers = { ...admin.headers, 'if-match': `"v${version}"` };
        const answer = await insist('PUT', `/api/apps/${id}`, { headers, body: { whiteUserAgent: text } });
        return { text, status: answer.status, body: answer.body };
      });
      const winners = answers.filter((answer) => answer.status === 200);
      const stale = answers.filter((answer) => answer.status === 412);
      expect([winners.length, stale.length]).toEqual([1, 99]);
      const winner = winners[0]?.text ?? '';
      winningTexts.push(winner);
      expect(winners[0]?.body.data).toMatchObject({ white_user_agent: winner, version: version + 1 });
      for (const { body: staleBody } of stale)
        expect(staleBody.data.current).toMatchObject({ white_user_agent: winner, version: version + 1 });
    }
    const changes = (await trailOfApp(databases, id)).slice(1).map((entry) => entry.changes);
    expect(changes).toEqual(winningTexts.map((to, at) => [{ field: 'whiteUserAgent', from: winningTexts[at - 1] ?? null, to }]));
  }, 180_000);

  it('of 100 saves without If-Match all are written, one after the other', async () => {
    const { body } = await insist('POST', '/api/apps', { ...admin, body: newAppForm() });
    const answers = await times(100, async (index) =>
      insist('PUT', `/api/apps/${body.data.id}`, { ...admin, body: { whiteUserAgent: `#${index}` } }),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(answers.map((answer) => answer.body.data.version).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 2));
    expect(await trailOfApp(databases, body.data.id)).toHaveLength(101);
  });

  it('saves of different apps with the same buyers never wait for each other in a circle', async () => {
    const buyers = await times(6, async () => (await signInAs(databases, { role: 'Buyer', panel: 'buyer', apps: [] })).accountId);
    const apps = await times(8, async () => (await insist('POST', '/api/apps', { ...admin, body: newAppForm() })).body.data.id);
    for (let round = 0; round < 5; round += 1) {
      const answers = await times(8, async (index) => {
        const userIds = index % 2 === 0 ? buyers.slice(round % 3) : buyers.toReversed().slice(round % 2);
        return insist('PUT', `/api/apps/${apps[index]}`, { ...admin, body: { userIds: round % 2 === 0 ? userIds : [] } });
      });
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200));
    }
  });

  it('an app that is archived while it is saved is either saved before or rejected', async () => {
    const { body } = await insist('POST', '/api/apps', { ...admin, body: newAppForm() });
    const url = `/api/apps/${body.data.id}`;
    const [archiving, ...saves] = await Promise.all([
      insist('DELETE', url, admin),
      ...Array.from({ length: 10 }, async (_, index) => insist('PUT', url, { ...admin, body: { whiteUserAgent: `#${index}` } })),
    ]);
    expect(archiving.status).toBe(204);
    const acceptedCount = saves.filter((answer) => answer.status === 200).length;
    expect(saves.filter((answer) => answer.status === 409)).toHaveLength(10 - acceptedCount);
    expect((await api.call('GET', url, admin)).body.data.version).toBe(2 + acceptedCount);
  });
});

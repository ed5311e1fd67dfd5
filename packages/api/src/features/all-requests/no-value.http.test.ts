import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { readCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';

type Row = { client_uid: string };

describe.each(eventStores)('filters for texts of others, and for no value, on $name', ({ open }) => {
  let api: TestApi;
  let staff: SignedIn;
  let appId: number;
  let base: string;
  const get = async (path: string) => (await api.call('GET', `/api/${path}`, staff)).body;
  /** The clients that the list of all apps and that of the app find; their totals have to agree with the rows. */
  const find = async (query: string): Promise<string[]> => {
    const lists = await Promise.all([get(`all-requests?limit=200&${query}`), get(`apps/${appId}/postbacks?limit=200&${query}`)]);
    const [all, ofApp] = lists.map(({ data }) => data.map((row: Row) => row.client_uid).toSorted());
    expect(ofApp).toEqual(all);
    expect(lists[1].pagination.total).toBe(all.length);
    const { data } = await get(`all-requests/histogram?range=list&${query}`);
    const counts = data.buckets.flatMap((bucket: { counts: Record<string, number> }) => Object.values(bucket.counts));
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(all.length);
    return all;
  };
  const groups = async (query: string): Promise<unknown[][]> => {
    const { data } = await get(`reports?measure=requests&startDate=2026-11-20&endDate=2026-11-20&orderBy=key&orderDirection=asc&${query}`);
    return data.groups.map((group: { keys: { value: string }[]; current: { requests: number } }) => [
      ...group.keys.map(({ value }) => value),
      group.current.requests,
    ]);
  };

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    api = await buildTestApi({ databases, startsAt, env: { ASN_FILL_PERCENT: '0' }, ...(clickhouse && { engine: clickhouse }) });
    await api.maintain();
    base = `${await listenForTest(api.app)}/api/`;
    appId = (await createApp(databases)).id;
    staff = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    const { headers } = await signInAsServer(databases);
    const events = [
      { client_uid: 'comma', stream_uid: 'fb,us-1', country: 'DE' },
      { client_uid: 'plain', stream_uid: 'fb', country: 'FR' },
      { client_uid: 'spaces', stream_uid: ' sp ' },
      { client_uid: 'nothing' },
    ].map((event) => ({ app_id: appId, type: 'create', date: '2026-11-20T10:11:12Z', ip: '10.1.2.3', ...event }));
    expect((await api.call('POST', '/api/ingest/events', { headers, body: { events } })).body).toMatchObject({ data: { accepted: 4 } });
  });

  it.each([
    ['streamUid[]=fb,us-1', ['comma']],
    ['streamUid=fb,us-1', ['plain']],
    ['streamUid[]=fb,us-1&streamUid[]=fb', ['comma', 'plain']],
    ['streamUid[]=%20sp%20', ['spaces']],
    ['streamUid=%20sp%20', []],
    ['streamUidNot[]=fb,us-1', ['nothing', 'plain', 'spaces']],
    ['streamUid[]=%20sp%20&streamUid=fb', ['plain', 'spaces']],
  ])('[INV-063] %s takes the uids of the first form as they are, in lists, totals, CSV and reports', async (query, clients) => {
    expect(await find(query)).toEqual(clients);
    const file = await openAnswer(`${base}apps/${appId}/postbacks/download?${query}`, staff.headers);
    const [, ...records] = readCsv(await text(file));
    const found = new Set(records.map((record) => record[6]));
    expect([records.length, found]).toEqual([clients.length, new Set(clients)]);
    expect((await groups(`groupBy=type&${query}`)).flat()).toEqual(clients.length === 0 ? [] : ['create', clients.length]);
  });

  it.each([
    ['streamUid=none', ['nothing']],
    ['streamUid[]=none', ['nothing']],
    ['streamUidNot=none', ['comma', 'plain', 'spaces']],
    ['geo=none', ['nothing', 'spaces']],
    ['geo=none,de', ['comma', 'nothing', 'spaces']],
    ['geoNot[]=none', ['comma', 'plain']],
    ['asn=none', ['comma', 'nothing', 'plain', 'spaces']],
    ['asnNot=none', []],
    ['asn=0', []],
  ])('[INV-064] %s finds requests by what they lack', async (query, clients) => {
    expect(await find(query)).toEqual(clients);
  });

  it('[INV-064] top values and reports name what requests lack as filters do', async () => {
    const top = async (field: string) =>
      (await get(`all-requests/top?field=${field}`)).data.values.map(({ value, count }: { value: string; count: number }) => [
        value,
        count,
      ]);
    expect(await top('country')).toEqual([
      ['none', 2],
      ['DE', 1],
      ['FR', 1],
    ]);
    expect(await top('stream')).toContainEqual(['none', 1]);
    expect(await top('asn')).toEqual([['none', 4]]);
    expect(await groups('groupBy=country')).toContainEqual(['none', 2]);
    expect(await groups('groupBy=stream&geo=none')).toEqual(
      expect.arrayContaining([
        ['none', 1],
        [' sp ', 1],
      ]),
    );
    expect(await groups('groupBy=asn&streamUid=none')).toEqual([['none', 1]]);
  });
});

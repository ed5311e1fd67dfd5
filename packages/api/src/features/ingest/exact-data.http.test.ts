import { parseExactly, writeExactly } from '@switchyard/contract/exact-json';
import { ingestedData } from '@switchyard/contract/ingested-data';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { arbitraryJsonText } from '../../../test/arbitrary-json-text.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { readNamedCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';

const date = '2026-11-20T10:11:12Z';
const fields: readonly string[] = ingestedData.events;
const isData = (key: string): boolean => fields.includes(key);
/** The texts of the data of each row in JSON of an answer or of a live stream. */
function dataOf(json: string): Record<string, Record<string, string>> {
  const parsed: { data: Record<string, unknown>[] } = Object.assign({ data: [] }, parseExactly(json, isData));
  return Object.fromEntries(
    parsed.data.map((row) => [row['client_uid'], Object.fromEntries(fields.map((name) => [name, writeExactly(row[name] ?? null)]))]),
  );
}

const exactEvent = {
  body_request: '{"fb_id":12345678901234567890,"exact":9007199254740993,"x":1E400,"dup":1,"dup":2,"sum":19.90}',
  body_response: '[0.1000,-0.0,1e-400,3.141592653589793238462643]',
  additional_data: '1187654321098765432',
  error: '{"exception_type":"Notice","code":18446744073709551616}',
};
const oddEvent = {
  body_request: '{"10":1,"b":2,"2":3,"a":4,"b":5}',
  body_response: String.raw`{"__proto__":{"admin":true},"nul":"\u0000","half":"\ud800","pair":"\ud83d\ude00","slash":"\/"}`,
  additional_data: '{"list":[{"constructor":{"prototype":{"admin":true}}}]}',
  error: String.raw`{"exception_type":"Odd","detail":"\u0000"}`,
};

describe.each(eventStores)('data of events on $name', ({ open, runs }) => {
  let api: TestApi;
  let staff: Record<string, string>;
  let server: Record<string, string>;
  let appId: number;

  const get = async (path: string) => (await api.app.inject({ method: 'GET', url: `/api/${path}`, headers: staff })).body;
  const rowText = (uid: string, data: Readonly<Record<string, string>>): string => {
    const own = Object.entries({ app_id: String(appId), client_uid: JSON.stringify(uid), ...data });
    return `{"type":"create","date":"${date}","ip":"203.0.113.9",${own.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
  };
  const send = async (rows: readonly string[], form: 'json' | 'lines' | 'gzip' = 'json') => {
    const body = form === 'lines' ? rows.join('\n') : `{"events":[ ${rows.join(' , ')} ]}`;
    const headers = {
      ...server,
      'content-type': form === 'lines' ? 'application/x-ndjson' : 'application/json',
      ...(form === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    };
    return api.call('POST', '/api/ingest/events', { headers, body: form === 'gzip' ? gzipSync(body) : body });
  };

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    api = await buildTestApi({ databases, startsAt, ...(clickhouse && { engine: clickhouse }) });
    await api.maintain();
    server = (await signInAsServer(databases)).headers;
    staff = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
    appId = (await createApp(databases)).id;
  });
  afterAll(async () => api.app.close());

  it('[DATA-002] is to the letter in lists, details, timeline, live stream, CSV and top values', async () => {
    const stream = await openAnswer(`${await listenForTest(api.app)}/api/all-requests/stream`, staff);
    let wire = '';
    stream.on('data', (part) => void (wire += String(part)));
    await vi.waitFor(() => expect(wire).toContain('retry:'), soon);
    expect((await send([rowText('exact', exactEvent)])).body.data.accepted).toBe(1);
    expect((await send([rowText('odd', oddEvent)], 'lines')).body.data.accepted).toBe(1);
    const text = await get('all-requests?orderBy=id');
    expect(dataOf(text)).toEqual({ exact: exactEvent, odd: oddEvent });
    expect(dataOf(await get(`apps/${appId}/postbacks?page=1`))).toEqual({ exact: exactEvent, odd: oddEvent });
    expect(dataOf(await get('all-requests?search=od'))).toEqual({ odd: oddEvent });
    const { data: listedRows }: { data: { id: number; client_uid: string }[] } = JSON.parse(text);
    const id = listedRows.find((row) => row.client_uid === 'odd')?.id;
    expect(await get(`requests/${id}`)).toContain(`"body_response":${oddEvent.body_response}`);
    expect(await get('clients/exact/timeline')).toContain(`"body_request":${exactEvent.body_request}`);
    const streamed = () => Array.from(wire.matchAll(/^data: (\[.*\])$/gm), ([, rows]) => dataOf(`{"data":${rows}}`));
    await vi.waitFor(() => expect(Object.assign({}, ...streamed())).toEqual({ exact: exactEvent, odd: oddEvent }), soon);
    stream.destroy();
    const csv = Object.fromEntries(readNamedCsv(await get(`apps/${appId}/postbacks/download`)).map((row) => [row['client_uid'], row]));
    expect(csv).toMatchObject({ exact: exactEvent, odd: oddEvent });
    const top = await api.call('GET', '/api/all-requests/top?field=error', { headers: staff });
    expect(top.body.data.values.map(({ value }: { value: string }) => value).toSorted()).toEqual(['Notice', 'Odd']);
  });

  it('[DATA-002] keeps texts that no database can hold, and says so in CSV by their JSON', async () => {
    const bodies = [String.raw`"\u0000"`, String.raw`"\ud800!"`, String.raw`"\\ud800"`, String.raw`"\ud83d\ude00\/"`, '-1.50'];
    const rows = bodies.map((body_request, index) =>
      rowText(`text-${index}`, { body_request, error: body_request.startsWith('"') ? body_request : 'null' }),
    );
    expect((await send(rows)).body.data.accepted).toBe(bodies.length);
    const listed = dataOf(await get('all-requests?search=text-'));
    expect(bodies.map((_, index) => listed[`text-${index}`]?.['body_request'])).toEqual(bodies);
    expect(listed['text-0']?.['error']).toBe(String.raw`{"exception_type":"Error","message":"\u0000"}`);
    const csv = readNamedCsv(await get('all-requests/download?search=text-')).toSorted((a, b) =>
      (a['client_uid'] ?? '') < (b['client_uid'] ?? '') ? -1 : 1,
    );
    expect(csv.map((row) => row['body_request'])).toEqual([bodies[0], bodies[1], String.raw`\ud800`, '😀/', "'-1.50"]);
  });

  it('[DATA-002, DATA-004] is to the letter whatever it is, and no row spoils another', { timeout: 60_000 }, async () => {
    let batch = 0;
    const field = fc.constantFrom(...fields.filter((name) => name !== 'error'));
    const row = fc.dictionary(field, arbitraryJsonText, { maxKeys: 3 });
    const forms = fc.constantFrom<('json' | 'lines' | 'gzip')[]>('json', 'lines', 'gzip');
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), forms, async (rows, form) => {
        batch += 1;
        const uid = (index: number) => `any-${batch}-${index}`;
        const oneLine = (text: string) => (form === 'lines' ? text.replaceAll(/[\r\n]/g, ' ') : text);
        const texts = rows.map((data, index) =>
          rowText(uid(index), Object.fromEntries(Object.entries(data).map(([name, { text }]) => [name, oneLine(text)]))),
        );
        expect((await send(texts, form)).body.data).toMatchObject({ accepted: rows.length, rejected: [] });
        const expected = Object.fromEntries(
          rows.map((data, index) => [uid(index), Object.fromEntries(fields.map((name) => [name, data[name]?.compact ?? 'null']))]),
        );
        expect(dataOf(await get(`all-requests?search=any-${batch}-&limit=50`))).toEqual(expected);
        for (const exported of readNamedCsv(await get(`all-requests/download?search=any-${batch}-`)))
          for (const name of fields)
            if (/^[[{]/.test(expected[exported['client_uid'] ?? '']?.[name] ?? ''))
              expect(exported[name]).toBe(expected[exported['client_uid'] ?? '']?.[name]);
      }),
      { numRuns: runs(20) },
    );
  });
});

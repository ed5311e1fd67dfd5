import {
  ingestConversions,
  ingestedConversion,
  ingestedEvent,
  ingestedPush,
  ingestedStream,
  ingestEvents,
  ingestPushes,
  ingestStreams,
} from '@switchyard/contract/ingest';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arbitraryJsonText } from '../../../test/arbitrary-json-text.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';

const time = '2026-11-20T10:11:12Z';
/** The required fields of each kind of row, as JSON. */
const kinds = {
  events: { path: ingestEvents.path, row: ingestedEvent, good: { type: '"create"', date: `"${time}"`, ip: '"203.0.113.9"' } },
  pushes: { path: ingestPushes.path, row: ingestedPush, good: { push_id: '"p"', send_at: `"${time}"` } },
  conversions: { path: ingestConversions.path, row: ingestedConversion, good: { status_conversion: '"deposit"', created_at: `"${time}"` } },
  streams: {
    path: ingestStreams.path,
    row: ingestedStream,
    good: { uid: '"s"', name: '"S"', buyer_email: '"hostile@example.com"', created_at: `"${time}"`, updated_at: `"${time}"` },
  },
};

const hostileText = fc.oneof(
  arbitraryJsonText.map(({ text }) => text),
  fc.constantFrom(
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"country":["DE"],"__proto__":["FR"]}',
    '{"toJSON":1,"valueOf":null}',
    '1E400',
    '-1e-400',
    '99999999999999999999999',
    String.raw`"\u0000"`,
    String.raw`"\ud800"`,
    `"2026-13-45T99:99:99Z"`,
    '"::1.2.3.4%eth0"',
    '['.repeat(1000) + ']'.repeat(1000),
    '{"a":'.repeat(600) + '1' + '}'.repeat(600),
    `"${'😀'.repeat(40_000)}"`,
    `{${Array.from({ length: 1200 }, (_, index) => `"k${index}":1`).join(',')}}`,
  ),
);
const strangeKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '', '\u202e', 'id', 'ID'];

describe.each(eventStores)('a hostile row on $name', ({ open, runs }) => {
  let api: TestApi;
  let server: Record<string, string>;
  let appId: number;

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    api = await buildTestApi({ databases, startsAt, ...(clickhouse && { engine: clickhouse }) });
    await api.maintain();
    server = (await signInAsServer(databases)).headers;
    appId = (await createApp(databases)).id;
    await signInAs(databases, { panel: 'buyer', role: 'Buyer', email: 'hostile@example.com' });
  });
  afterAll(async () => api.app.close());

  it.each(Object.entries(kinds))('[DATA-004] among %s changes nothing for the rows beside it', { timeout: 120_000 }, async (name, kind) => {
    const field = fc.constantFrom(...Object.keys(kind.row.shape), 'app_id', ...strangeKeys);
    const hostile = fc.dictionary(field, hostileText, { minKeys: 1, maxKeys: 4 });
    const forms = fc.constantFrom<Form[]>('json', 'lines', 'gzip');
    await fc.assert(
      fc.asyncProperty(hostile, fc.integer({ min: 0, max: 3 }), forms, async (fields, place, form) => {
        const rows = [rowText(kind.good), rowText(kind.good), rowText(kind.good)];
        rows.splice(place, 0, rowText({ ...kind.good, ...fields }));
        const { status, body } = await sendRows(name, kind.path, rows, form);
        expect(status).toBe(200);
        const { accepted, duplicates, rejected } = body.data;
        expect(rejected.map(({ index }: { index: number }) => index)).toEqual(rejected.length === 0 ? [] : [place]);
        expect(accepted + duplicates).toBe(4 - rejected.length);
      }),
      { numRuns: runs(60) },
    );
  });

  type Form = 'json' | 'lines' | 'gzip';

  function rowText(fields: Readonly<Record<string, string>>): string {
    const own = Object.entries({ app_id: String(appId), ...fields });
    return `{${own.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
  }

  async function sendRows(name: string, path: string, rows: readonly string[], form: Form) {
    const body = form === 'lines' ? rows.map((row) => row.replaceAll(/[\r\n]/g, ' ')).join('\n') : `{"${name}":[${rows.join(',')}]}`;
    const headers = { ...server, 'content-type': form === 'lines' ? 'application/x-ndjson' : 'application/json' };
    const packed = form === 'gzip' ? { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) } : { headers, body };
    return api.call('POST', `/api/${path}`, packed);
  }
});

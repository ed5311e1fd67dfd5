import { conversionSortKeys } from '@switchyard/contract/conversions';
import { conversionExportColumns, pushExportColumns } from '@switchyard/contract/delivery-exports';
import { pushSortKeys } from '@switchyard/contract/pushes';
import fc from 'fast-check';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Databases } from '../../../../api/src/database/connect.ts';
import type { ConversionFilter, NewConversion, NewPush, PushFilter } from '../../delivery-store.ts';
import { createTrafficStore } from '../../open-traffic-store.ts';
import { arbitraryConversion, arbitraryPush } from '../../../../api/test/arbitrary-deliveries.ts';
import { testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { readCsv } from '../../../../api/test/read-csv.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';

let databases: Databases;
const day = 86_400_000_000;
const signal = new AbortController().signal;
const wholeList = { page: 1, limit: 200 } as const;

function openStore(sortable = 50_000) {
  return createTrafficStore({ pools: databases.pools, serverOffset: '+02:00', retentionDays: 90, sortable }).deliveries;
}

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

async function clear(): Promise<void> {
  await databases.pools.ops.query(
    'truncate pushes, push_totals, push_days, push_hours, conversions, conversion_totals, conversion_days, conversion_hours',
  );
}
beforeEach(clear);

const optional = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const range = { from: optional(testEpoch - day, testEpoch), until: optional(testEpoch + 1, testEpoch + 2 * day) };
const orderDirection = fc.constantFrom('asc' as const, 'desc' as const);
const sortable = fc.constantFrom(0, 3, 50_000);

describe('export of pushes', () => {
  const filters: fc.Arbitrary<PushFilter> = fc.record({
    appId: fc.constantFrom(1, 2),
    uid: optional('U', '_', '%'),
    campaignUid: optional('pc', '9'),
    pushId: optional('p', '7', '%'),
    ...range,
  });
  const queries = fc.record({ filter: filters, orderBy: fc.constantFrom(...pushSortKeys), orderDirection, sortable });

  it('[PUSH-002, PUSH-017] holds exactly the rows of the list in its order, whatever the filter, the sort and the way of reading', async () => {
    const batches = fc.uniqueArray(arbitraryPush('many'), { minLength: 1, maxLength: 60, selector: (row) => row.uuid });
    await fc.assert(
      fc.asyncProperty(batches, fc.array(queries, { minLength: 5, maxLength: 5 }), async (rows, questions) => {
        await clear();
        await openStore().insertPushes(rows);
        for (const { sortable: most, ...query } of questions) {
          const store = openStore(most);
          const [head, ...records] = readCsv(await text(await store.exportPushes({ ...query, signal })));
          expect(head).toEqual(pushExportColumns);
          const list = await store.listPushes({ ...query, ...wholeList });
          expect(records.map((record) => record[0])).toEqual(list.rows.map((row) => String(row.id)));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('[CONST-029] writes every column, nothing for what is missing, and no formula', async () => {
    const push: NewPush = {
      uuid: '01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b10',
      appId: 1,
      pushId: '=cmd()',
      name: 'Welcome, "friend"',
      message: '{"notification":{"title":"Hi"}}',
      uid: '@u',
      clientUid: null,
      campaignUid: '-7',
      sendAt: testEpoch + 999_999,
      status: 'error',
      error: '+boom\r\nagain',
      updatedAt: testEpoch,
    };
    const store = openStore();
    await store.insertPushes([push]);
    const query = { filter: { appId: 1 }, orderBy: 'keyId', orderDirection: 'desc' } as const;
    const { rows } = await store.listPushes({ ...query, ...wholeList });
    expect(await text(await store.exportPushes({ ...query, signal }))).toBe(
      `${pushExportColumns.join(',')}\r\n${rows[0]?.id ?? ''},'=cmd(),"Welcome, ""friend""","{""notification"":{""title"":""Hi""}}",'@u,,'-7,` +
        `2026-10-14 12:00:00,error,"'+boom\r\nagain"\r\n`,
    );
    const none = await text(await store.exportPushes({ ...query, filter: { appId: 9 }, signal }));
    expect(none).toBe(`${pushExportColumns.join(',')}\r\n`);
  });

  it('fails for a reader who disconnected before it begins', async () => {
    const abortedExport = openStore().exportPushes({
      filter: { appId: 1 },
      orderBy: 'keyId',
      orderDirection: 'desc',
      signal: AbortSignal.abort(),
    });
    await expect(abortedExport).rejects.toThrow('aborted');
  });
});

describe('export of conversions', () => {
  const filters: fc.Arbitrary<ConversionFilter> = fc.record({
    appId: fc.constantFrom(1, 2),
    streamUid: optional('ST', '_1'),
    clientUid: optional('u', '%'),
    statusConversion: optional('install', 'deposit'),
    status: optional('success', 'held'),
    isSend: optional(true, false),
    ...range,
  });
  const queries = fc.record({ filter: filters, orderBy: fc.constantFrom(...conversionSortKeys), orderDirection, sortable });

  it('[CONV-023, CONV-006] holds exactly the rows of the list in its order, whatever the filter, the sort and the way of reading', async () => {
    const batches = fc.uniqueArray(arbitraryConversion('many'), { minLength: 1, maxLength: 60, selector: (row) => row.uuid });
    await fc.assert(
      fc.asyncProperty(batches, fc.array(queries, { minLength: 5, maxLength: 5 }), async (rows, questions) => {
        await clear();
        await openStore().insertConversions(rows);
        for (const { sortable: most, ...query } of questions) {
          const store = openStore(most);
          const [head, ...records] = readCsv(await text(await store.exportConversions({ ...query, signal })));
          expect(head).toEqual(conversionExportColumns);
          const list = await store.listConversions({ ...query, ...wholeList });
          expect(records.map((record) => record[0])).toEqual(list.rows.map((row) => String(row.id)));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('[CONST-029] writes every column, a payout as a number also below zero, and no formula', async () => {
    const conversion: NewConversion = {
      uuid: '01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b10',
      appId: 1,
      source: '=1+1',
      clientUid: '+c',
      streamUid: 'st_1',
      clickId: '\tclk',
      receiveApfUid: '-1700000000000-123',
      appInstanceId: null,
      statusConversion: 'deposit',
      payout: '-12.50',
      status: 'success',
      error: null,
      isSend: true,
      isQa: false,
      createdAt: testEpoch,
    };
    const store = openStore();
    await store.insertConversions([conversion]);
    const query = { filter: { appId: 1 }, orderBy: 'keyClient', orderDirection: 'asc' } as const;
    const { rows } = await store.listConversions({ ...query, ...wholeList });
    expect(await text(await store.exportConversions({ ...query, signal }))).toBe(
      `${conversionExportColumns.join(',')}\r\n${rows[0]?.id ?? ''},'=1+1,'+c,st_1,"'\tclk",'-1700000000000-123,,deposit,-12.5,success,,1,2026-10-14 12:00:00\r\n`,
    );
  });
});

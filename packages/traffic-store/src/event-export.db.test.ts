import { formatMicroseconds } from '@switchyard/contract/dates';
import { requestExportColumns, requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { text } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arbitraryEvent, testEpoch } from '../../api/test/arbitrary-events.ts';
import { arbitrarySort } from '../../api/test/arbitrary-filters.ts';
import { sampleEvent } from '../../api/test/sample-event.ts';
import { readCsv, readNamedCsv } from '../../api/test/read-csv.ts';
import { type EventStoreUnderTest, eventStores } from '../../api/test/event-stores.ts';
import { csvLine, guardedText } from './csv.ts';
import type { NewEvent } from './event-fields.ts';
import { readEventSearch } from './event-search.ts';
import type { EventFilter, EventSort, EventStore } from './event-store.ts';

const day = 86_400_000_000;
const everything: EventFilter = { scope: 'all' };
const newestFirst: EventSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };
const going = new AbortController().signal;

const some = <T>(values: readonly [T, ...T[]]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined, freq: 2 });
const instant = fc.option(fc.integer({ min: testEpoch - 11 * day, max: testEpoch + 11 * day }), { nil: undefined, freq: 2 });
const arbitraryFilter: fc.Arbitrary<EventFilter> = fc.record({
  scope: fc.constantFrom<EventFilter['scope'][]>('all', 'all', [1], [1, 3], []),
  search: fc.option(fc.constantFrom('c-1', 'C', '203.0.113.', '2001:db8::/32', "'; drop table events; --", 'c\\').map(readEventSearch), {
    nil: undefined,
    freq: 1,
  }),
  clientUid: fc.option(fc.constantFrom('c-1', 'Ünicode', ''), { nil: undefined, freq: 5 }),
  types: some(requestTypes),
  countries: some(['DE', 'US']),
  streamUids: some(['st_1', 'st_2']),
  from: instant,
  until: instant,
  emptyPostbacksDomain: fc.option(fc.constant(true), { nil: undefined, freq: 5 }),
});
async function exportedText(store: EventStore, filter: EventFilter, sort = newestFirst): Promise<string> {
  return text(await store.exportEvents({ filter, sort, signal: going }));
}

async function exportRows(store: EventStore, filter: EventFilter, sort = newestFirst): Promise<string[][]> {
  return readCsv(await exportedText(store, filter, sort));
}

async function listedIds(store: EventStore, filter: EventFilter, sort: EventSort): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await store.listEventsByCursor({ filter, sort, cursor, limit: 200 });
    ids.push(...page.rows.map((row) => String(row.id)));
    if (page.next === null) return ids;
    cursor = page.next;
  }
}

const plain = sampleEvent({
  uuid: '01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b10',
  occurred_at: testEpoch + 1,
  client_uid: 'c-88a1',
  stream_uid: 'st_1',
  country: 'DE',
  bot: 'CF L1',
  user_agent: 'Mozilla/5.0 (Linux, Android)',
  body_request: { gaid: '7c1e', list: [1, 2.5, null] },
  body_response: 'line one\r\nline "two"',
  postbacks_domain: 'pb.example.com',
});

/** A stream of app 1 whose uid and name need escapes in JSON, SQL and CSV. */
const hostileStream = { uid: 'st "2"\\\t\'\u2028', name: '=\'a\\\n;"' };
const streamNames = new Map([
  ['st_1', '@SUM(A1), "x"'],
  [hostileStream.uid, hostileStream.name],
]);

/** Texts that mean something to CSV, JSON, SQL, spreadsheets or terminals. */
const hostileText = fc
  .oneof(
    fc.constantFrom(
      '',
      'null',
      'true',
      '7',
      '-1',
      '{"a":1}',
      '[1]',
      '{}',
      '"',
      '""',
      '\\',
      '\\"',
      '\\N',
      '\\u0041',
      '/',
      '</x>',
      '?',
      '$1',
      '%s',
    ),
    fc.constantFrom(
      '=1',
      '+1',
      '-x',
      '@x',
      "'=1",
      '\t=',
      '\r',
      '\n=',
      ' =',
      '＝1',
      '\u200B=1',
      '\u061C+1',
      '\u202E-1',
      '\uFEFF@x',
      '\u0001=',
      '\u0600',
    ),
    fc.constantFrom(
      'a,b',
      'a;b',
      'a\tb',
      'a\r\nb',
      "it's",
      '\u001F',
      '\u007F',
      '\u2028',
      '\u2029',
      '\uFFFD',
      'שלום',
      '🙂',
      'x"'.repeat(3000),
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  .map((value) => value.replaceAll('\0', '').toWellFormed());
const hostileNumber = fc.oneof(
  fc.constantFrom(0, -1, 1e21, -1e-7, 5e-324, 0.000001, 1.5e300, 2 ** 53, 2 ** 64, 123_456_789_012_345_680_000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const hostileLeaf = fc.oneof(hostileText, hostileNumber, fc.constantFrom(null, true, false));
const nestedList = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const hostileJson = fc.oneof(
  hostileLeaf,
  fc.array(hostileLeaf, { maxLength: 4 }),
  fc.dictionary(hostileText, fc.oneof(hostileLeaf, fc.array(hostileLeaf, { maxLength: 2 })), { maxKeys: 4 }),
  // As deep as ingestion accepts.
  fc.constantFrom(nestedList(3), nestedList(500), { a: [{ '}': '{', '"]': [[]] }] }),
);
const hostileEvent: fc.Arbitrary<Partial<NewEvent> & { uuid: string }> = fc.record({
  uuid: fc.uuid(),
  app_id: fc.constantFrom(1, 2, 3),
  type: fc.constantFrom(...requestTypes),
  ip: fc.constantFrom('203.0.113.9', '2001:db8::1', '::1', '0.0.0.0'),
  country: fc.constantFrom('', 'DE'),
  bot: fc.constantFrom('', 'CF L1'),
  client_uid: hostileText,
  stream_uid: fc.oneof(fc.constantFrom('st_1', hostileStream.uid), hostileText),
  postbacks_domain: hostileText,
  user_agent: fc.option(hostileText, { nil: null }),
  body_request: hostileJson,
  body_response: hostileJson,
  error: fc.option(fc.dictionary(hostileText, hostileLeaf, { maxKeys: 3 }), { nil: null }),
  additional_data: hostileJson,
});

/** Texts that look like the end of a JSON value, or like a value behind one. */
const ending = fc
  .array(fc.constantFrom('}', '{', ',', '"', '\\', '}},{', '},{', '},null', ',null', '},"', '":', ']', '[', 'null', '0', 'a'), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const endings = fc.dictionary(ending, fc.oneof(ending, fc.constantFrom(null, 0, {}, [], [{}, {}], [[{}, null]], { a: {} })), {
  maxKeys: 3,
});
const bodyOfEndings = fc.oneof(endings, endings, fc.constant({}), fc.constant(null), fc.array(endings, { maxLength: 2 }), ending);
/** Events that are nearly plain: one of their values may be all that is not. */
const borderEvent: typeof hostileEvent = fc.record(
  {
    uuid: fc.uuid(),
    app_id: fc.constantFrom(1, 3),
    type: fc.constantFrom(...requestTypes),
    client_uid: fc.oneof(fc.constantFrom('c-1', ''), ending),
    stream_uid: fc.constantFrom('st_1', '', hostileStream.uid),
    bot: fc.constantFrom('', 'CF L1'),
    postbacks_domain: fc.constantFrom('pb.example.com', 'a;b', '=1'),
    user_agent: fc.oneof(fc.constantFrom(null, '', 'Mozilla/5.0 (Linux; Android, 14)', 'plain', '-agent'), ending),
    body_request: bodyOfEndings,
    body_response: bodyOfEndings,
    error: fc.oneof(fc.constant(null), endings),
    additional_data: bodyOfEndings,
    server_id: fc.constantFrom(null, 3),
  },
  { requiredKeys: ['uuid'] },
);

/** The line of an event as JavaScript writes it. */
function lineOf(event: NewEvent, id: string): string {
  const cell = (value: unknown): string => {
    if (value === null) return '';
    return guardedText(typeof value === 'string' ? value : JSON.stringify(value));
  };
  const bundle = event.app_id === 3 ? '=cmd' : `com.app${event.app_id}`;
  const name = event.app_id === 1 ? streamNames.get(event.stream_uid) : undefined;
  const cells: Readonly<Record<string, string>> = {
    id,
    uuid: event.uuid,
    app_id: String(event.app_id),
    app_bundle: cell(bundle),
    stream_uid: cell(event.stream_uid),
    stream_name: cell(name ?? ''),
    client_uid: cell(event.client_uid),
    ip: event.ip,
    country: event.country,
    bot: event.bot,
    type: event.type,
    date_utc: formatMicroseconds(event.occurred_at),
    postbacks_domain: cell(event.postbacks_domain),
    user_agent: cell(event.user_agent),
    body_request: cell(event.body_request),
    body_response: cell(event.body_response),
    error: cell(event.error),
    additional_data: cell(event.additional_data),
  };
  // A column that was added since is a text of the event.
  return csvLine(requestExportColumns.map((column) => cells[column] ?? cell(Reflect.get(event, column))));
}

describe.each(eventStores)('export of requests on $name', ({ open, runs }) => {
  let stores: EventStoreUnderTest;
  const openStore = (sortable = 50_000) => stores.openStore('+05:45', { sortable });

  beforeAll(async () => {
    stores = await open();
    const { ops } = stores.databases.pools;
    await ops.query(`insert into accounts (panel, name, email) values ('buyer', 'Buyer', 'buyer@example.com')`);
    await ops.query(`insert into apps (name, bundle, domain, vertical, response_message)
      select 'App ' || n, case n when 3 then '=cmd' else 'com.app' || n end, 'app' || n || '.example', 'bet', '{}' from generate_series(1, 3) n`);
    await ops.query(`insert into streams (uid, app_id, buyer_id, name, created_at, updated_at)
      values ('st_1', 1, (select max(id) from accounts), '@SUM(A1), "x"', now(), now())`);
    await ops.query(
      `insert into streams (uid, app_id, buyer_id, name, created_at, updated_at)
       values ($1, 1, (select max(id) from accounts), $2, now(), now())`,
      [hostileStream.uid, hostileStream.name],
    );
  });
  beforeEach(async () => stores.empty());

  it('[EVT-037, REQ-033, CONST-029, CONST-036] holds exactly the rows of the list in its order, whatever the filter, the sort and the way of reading', async () => {
    const rows = fc.uniqueArray(arbitraryEvent, { minLength: 1, maxLength: 80, selector: (row) => row.uuid });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.array(fc.tuple(arbitraryFilter, arbitrarySort), { minLength: 6, maxLength: 6 }),
        fc.constantFrom(0, 3, 50_000),
        async (all, queries, sortable) => {
          await stores.empty();
          const store = openStore(sortable);
          await store.insertEvents(all);
          for (const [filter, sort] of queries) {
            const [head, ...records] = await exportRows(store, filter, sort);
            expect(head).toEqual(requestExportColumns);
            expect(records.map((record) => record[0])).toEqual(await listedIds(store, filter, sort));
          }
        },
      ),
      { numRuns: runs(20), seed: 32 },
    );
  });

  it('[EVT-037, CONST-029] writes every column as the contract shows it', async () => {
    const store = openStore();
    await store.insertEvents([plain]);
    const csv = await exportedText(store, everything);
    const [{ id } = { id: 0 }] = (await store.listEventsByCursor({ filter: everything, sort: {}, cursor: undefined, limit: 1 })).rows;
    expect(csv).toContain(`,"'@SUM(A1), ""x""",c-88a1,`);
    expect(csv).toContain(',"line one\r\nline ""two""",');
    expect(readNamedCsv(csv)).toMatchObject([
      {
        id: String(id),
        uuid: '01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b10',
        app_id: '1',
        app_bundle: 'com.app1',
        stream_uid: 'st_1',
        stream_name: '\'@SUM(A1), "x"',
        client_uid: 'c-88a1',
        ip: '203.0.113.9',
        country: 'DE',
        bot: 'CF L1',
        type: 'create',
        date_utc: '2026-10-14 12:00:00.000001',
        postbacks_domain: 'pb.example.com',
        user_agent: 'Mozilla/5.0 (Linux, Android)',
        body_request: '{"gaid":"7c1e","list":[1,2.5,null]}',
        body_response: 'line one\r\nline "two"',
        error: '',
        additional_data: '',
      },
    ]);
  });

  it('[CONST-029] leaves empty what is null, missing or empty, and is only the header row without a match', async () => {
    const store = openStore();
    const bare = {
      ...plain,
      stream_uid: '',
      client_uid: '',
      country: '',
      bot: '',
      user_agent: '',
      body_request: '',
      body_response: null,
      postbacks_domain: '',
    };
    await store.insertEvents([{ ...bare, app_id: 2 }]);
    const [record = {}] = readNamedCsv(await exportedText(store, everything));
    const filledCells = Object.entries(record).filter(([name, cell]) => cell !== '' && name !== 'id' && name !== 'uuid');
    expect(Object.fromEntries(filledCells)).toEqual({
      app_id: '2',
      app_bundle: 'com.app2',
      ip: '203.0.113.9',
      type: 'create',
      date_utc: '2026-10-14 12:00:00.000001',
    });
    expect(await exportRows(store, { scope: [1] })).toEqual([[...requestExportColumns]]);
    expect(await exportRows(store, { scope: [] })).toEqual([[...requestExportColumns]]);
  });

  it('[CONST-029] writes six digits of a second, and distinguishes cells that only look missing', async () => {
    const store = openStore();
    const at = [0, 120, 500_000, 123_456, 999_990];
    await store.insertEvents(
      at.map((offset, index) => ({
        ...plain,
        uuid: `01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b1${index}`,
        occurred_at: testEpoch + offset,
        client_uid: String.raw`\N`,
        body_request: [-1],
        body_response: -1,
      })),
    );
    const records = readNamedCsv(await exportedText(store, everything, { orderBy: 'concatenated_date', orderDirection: 'asc' }));
    expect(records.map((record) => record['date_utc'])).toEqual(
      ['000000', '000120', '123456', '500000', '999990'].map((digits) => `2026-10-14 12:00:00.${digits}`),
    );
    expect(records[0]).toMatchObject({ client_uid: String.raw`\N`, body_request: '[-1]', body_response: "'-1", additional_data: '' });
  });

  it('[S42] [CONST-029, AMB-142] puts an apostrophe before every text that a spreadsheet would take for a formula, and before nothing else', async () => {
    const store = openStore();
    const texts = fc
      .tuple(
        fc.constantFrom(
          '',
          '',
          '\u0001',
          '\u001B\n',
          '\u007F',
          '\u0085',
          '\u00A0',
          '\u00AD',
          '\u200B\u200D',
          '\u202E',
          '\u202F',
          '\u2060',
          '\uFEFF',
          ' ',
          ' \u3000',
          'é',
        ),
        fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '', "'", ' ', '１', '7', 'a;', ';'),
        fc.string({ unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(';', '\t', '\n', '"')), maxLength: 12 }),
      )
      .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());
    const rows = fc.uniqueArray(
      fc.record({
        uuid: fc.uuid(),
        client_uid: texts,
        stream_uid: texts,
        postbacks_domain: texts,
        user_agent: texts,
        body_request: texts,
        body_response: fc.oneof(texts, fc.integer(), fc.boolean()),
        additional_data: texts,
      }),
      { minLength: 400, maxLength: 400, selector: (row) => row.uuid },
    );
    const [changes = []] = fc.sample(rows, { numRuns: 1, seed: 11 });
    const events = changes.map((change, index) => ({ ...plain, ...change, app_id: 3, occurred_at: testEpoch + index }));
    await store.insertEvents(events);
    const file = await exportedText(store, everything, { orderBy: 'concatenated_date', orderDirection: 'asc' });
    // Some programs split cells at these as well, unless they are in quotes.
    expect(file.replaceAll(/"(?:[^"]|"")*"/g, '')).not.toMatch(/[;\t]/);
    const dangerous = /^(?:[\t\r]|[\p{Cc}\p{Cf}\s]*[=+\-@＝＋－＠])/u;
    const safe = (value: unknown) => `${dangerous.test(String(value)) ? "'" : ''}${String(value)}`;
    const guardedColumns = [
      'stream_uid',
      'client_uid',
      'postbacks_domain',
      'user_agent',
      'body_request',
      'body_response',
      'additional_data',
    ] as const;
    for (const [index, record] of readNamedCsv(file).entries()) {
      const row = events[index];
      expect(record).toMatchObject({ app_bundle: "'=cmd", ...Object.fromEntries(guardedColumns.map((name) => [name, safe(row?.[name])])) });
    }
    expect(readNamedCsv(file)).toHaveLength(events.length);
  });

  it('[S42] [CONST-029, AMB-142] is byte for byte what JavaScript writes, whatever the values', async () => {
    const store = openStore();
    const rows = fc.uniqueArray(fc.oneof(hostileEvent, borderEvent), { minLength: 300, maxLength: 300, selector: ({ uuid }) => uuid });
    for (const changes of fc.sample(rows, { numRuns: runs(8), seed: 5 })) {
      await stores.empty();
      const events = changes.map((change, index) => sampleEvent({ ...change, occurred_at: testEpoch + index * 70_000_001 }));
      await store.insertEvents(events);
      const sort: EventSort = { orderBy: 'concatenated_date', orderDirection: 'asc' };
      const ids = await listedIds(store, everything, sort);
      const lines = (await exportedText(store, everything, sort)).split(/(?<=\r\n)(?=\d+,[0-9a-f]{8}-)/);
      expect(lines).toEqual([csvLine(requestExportColumns), ...events.map((event, index) => lineOf(event, ids[index] ?? ''))]);
    }
  });

  it('[EVT-037] is of one moment: what is stored while it runs is not in it', async () => {
    const store = openStore(1);
    const before = Array.from({ length: 3 }, (_, index) => ({
      ...plain,
      uuid: `01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b1${index}`,
      occurred_at: testEpoch - index * day,
    }));
    await store.insertEvents(before);
    const running = await store.exportEvents({ filter: everything, sort: newestFirst, signal: going });
    await store.insertEvents([{ ...plain, uuid: '01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b20', occurred_at: testEpoch - 2 * day }]);
    expect(readCsv(await text(running))).toHaveLength(4);
    expect(await exportRows(store, everything)).toHaveLength(5);
  });
});

import { formatDateTime, fromDate } from '@switchyard/contract/dates';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startsAt, startEventIngestion } from '../../../test/event-ingestion.ts';
import { signInAs } from '../../../test/sign-in-as.ts';

const { api, staff, app, other, send, event, list, newId } = await startEventIngestion();

async function qaCreates(): Promise<number> {
  const { body } = await api.call('GET', '/api/apps?search=com.other&isCache=0', { headers: staff });
  return body.data[0].statistics.qa.create.all;
}

describe('a batch of events', () => {
  it('[ENT-026] keeps every part of a row and shows it to the lists at once', async () => {
    const id = newId();
    const sentEvent = event({
      id: id.toUpperCase(),
      bundle: 'COM.ACME.BET',
      client_uid: 'whole-row',
      stream_uid: 'st_unknown',
      country: 'de',
      bot: 'CF L1 CF',
      user_agent: 'M'.repeat(3000),
      body_request: { gaid: '7c1e' },
      body_response: 'plain text',
      additional_data: [1, null],
      error: 'boom',
      postbacks_domain: 'pb.example.com',
      is_qa: 1,
    });
    expect((await send({ events: [sentEvent] })).body).toEqual({ success: true, data: { accepted: 1, duplicates: 0, rejected: [] } });
    const [row] = await list('clientId=whole-row');
    expect(row).toMatchObject({
      id: expect.any(Number),
      uuid: id,
      app_id: app.id,
      app_bundle: 'com.Acme.bet',
      stream: { uid: 'st_unknown', name: null },
      client_uid: 'whole-row',
      ip: '203.0.113.9',
      country: 'DE',
      bot: 'CF L1',
      date: '2026-11-20 10:11:12',
      concatenated_date: '2026-11-20 10:11:12.345678',
      type: 'create',
      postbacks_domain: 'pb.example.com',
      has_body: true,
      has_response: true,
      has_error: true,
      has_additional_data: true,
      has_user_agent: true,
      user_agent: 'M'.repeat(2048),
      body_request: { gaid: '7c1e' },
      body_response: 'plain text',
      error: { exception_type: 'Error', message: 'boom' },
      additional_data: [1, null],
    });
  });

  it('fills the country of an address it knows, and leaves a private one unknown', async () => {
    await send({
      events: [
        event({ client_uid: 'geo-1', ip: '8.8.8.8' }),
        event({ client_uid: 'geo-2', ip: '10.0.0.1' }),
        event({ client_uid: 'geo-3', ip: '::ffff:8.8.8.8' }),
      ],
    });
    const countryOf = async (uid: string) =>
      (await list(`clientId=${uid}`)).map((row: { country: string; ip: string }) => [row.country, row.ip]);
    expect([...(await countryOf('geo-1')), ...(await countryOf('geo-2')), ...(await countryOf('geo-3'))]).toEqual([
      ['US', '8.8.8.8'],
      [null, '10.0.0.1'],
      ['US', '8.8.8.8'],
    ]);
  });

  it('[API-003] counts an id delivered again as a duplicate: in one batch, in parallel, and once more', async () => {
    const twice = event({ id: newId() });
    const batch = { events: [twice, twice, event({ id: newId() })] };
    expect((await send(batch)).body.data).toEqual({ accepted: 2, duplicates: 1, rejected: [] });
    const again = { events: Array.from({ length: 50 }, () => event({ id: newId() })) };
    const answers = await Promise.all([send(again), send(again), send(again)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, answer) => sum + answer.body.data.accepted, 0)).toBe(50);
    expect((await send(again)).body.data).toEqual({ accepted: 0, duplicates: 50, rejected: [] });
  });

  it('takes the same id at another time or of another app for another request', async () => {
    const id = newId();
    const rows = [event({ id }), event({ id, date: '2026-11-20T10:11:12.345679Z' }), event({ id, app_id: other.id })];
    expect((await send({ events: rows })).body.data.accepted).toBe(3);
  });

  it('keeps good rows and names each bad one with every failing field', async () => {
    // Written as text: a serialiser would fail on the depth that the row is rejected for.
    const deep: unknown = JSON.parse('['.repeat(600) + ']'.repeat(600));
    const { status, body } = await send({
      events: [
        event({ id: 'nope' }),
        event({ type: 'x', ip: 'y' }),
        event(),
        5,
        null,
        [],
        event({ app_id: 999_999 }),
        event({ app_id: undefined, bundle: 'com.nobody' }),
        event({ bundle: 'com.other' }),
        event({ app_id: undefined }),
        event({ ip: '999.1.1.1' }),
        event({ ip: 'fe80::1%eth0' }),
        event({ unknown: 1 }),
        event({ body_request: 'x'.repeat(262_145) }),
        event({ date: '2026-02-31 10:00:00' }),
        event({ type: undefined, app_id: 999_999, date: '2020-01-01 00:00:00', ip: '' }),
        event({ app_id: 'twelve', date: '', additional_data: deep }),
        event({ error: [] }),
      ],
    });
    expect(status).toBe(200);
    expect(body.data.accepted).toBe(1);
    expect(Object.fromEntries(body.data.rejected.map((row: { index: number; errors: unknown }) => [row.index, row.errors]))).toEqual({
      0: { id: ['The id must be a UUID.'] },
      1: { type: ['The selected type is invalid.'], ip: ['The ip must be a valid IPv4 or IPv6 address.'] },
      3: { row: ['The row must be an object.'] },
      4: { row: ['The row must be an object.'] },
      5: { row: ['The row must be an object.'] },
      6: { app_id: ['Unknown app.'] },
      7: { bundle: ['Unknown app.'] },
      8: { bundle: ['The app_id and bundle do not match.'] },
      9: { app_id: ['The app_id or bundle field is required.'] },
      10: { ip: ['The ip must be a valid IPv4 or IPv6 address.'] },
      11: { ip: ['The ip must be a valid IPv4 or IPv6 address.'] },
      12: { unknown: ['Unknown field.'] },
      13: { body_request: ['The body_request field is too large.'] },
      14: { date: ['Invalid date string format'] },
      15: {
        type: ['The type field is required.'],
        app_id: ['Unknown app.'],
        date: ['Older than the retention of 90 days.'],
        ip: ['The ip field is required.'],
      },
      16: {
        app_id: ['The app_id field must be of type integer.'],
        date: ['The date field is required.'],
        additional_data: ['The additional_data field is nested too deeply.'],
      },
      17: { error: ['The error field must be of type object.'] },
    });
    expect(body.data.rejected[0].id).toBe('nope');
    expect(body.data.rejected[1].id).toBeNull();
  });

  it('accepts times from retention to 24 hours ahead, in every form', async () => {
    const now = fromDate(startsAt);
    const hour = 3_600_000_000;
    const rows = [now + 24 * hour, now + 24 * hour + 1_000_000, now - 90 * 24 * hour, now - 90 * 24 * hour - 1_000_000].map((at) =>
      event({ date: formatDateTime(at) }),
    );
    const forms = [startsAt.getTime(), '2026-11-20 10:11:12.000001', '2026/11/20 10:11:12', '2026-11-20T12:11:12+02:00'].map((date) =>
      event({ date }),
    );
    const { body } = await send({ events: [...rows, ...forms] });
    expect(body.data.accepted).toBe(6);
    expect(body.data.rejected).toEqual([
      { index: 1, id: null, errors: { date: ['More than 24 hours ahead.'] } },
      { index: 3, id: null, errors: { date: ['Older than the retention of 90 days.'] } },
    ]);
  });

  it('rejects a batch in which every row is bad, with the rows named', async () => {
    const { status, body } = await send({ events: [event({ date: '2027-01-01 00:00:00' })] });
    expect(status).toBe(422);
    expect(body).toEqual({
      success: false,
      message: 'Every row was rejected.',
      data: { accepted: 0, duplicates: 0, rejected: [{ index: 0, id: null, errors: { date: ['More than 24 hours ahead.'] } }] },
    });
  });

  it('always accounts for every row sent', async () => {
    const row = fc.constantFrom<unknown>(event(), event({ id: newId() }), event({ type: 'x' }), 7, {}, event({ app_id: 0 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (events) => {
        const { data } = (await send({ events })).body;
        expect(data.accepted + data.duplicates + data.rejected.length).toBe(events.length);
      }),
      { numRuns: 30 },
    );
  });

  it('marks QA traffic by the stream of a tester unless the row says otherwise', async () => {
    const { databases } = api;
    const tester = await signInAs(databases, { panel: 'buyer', role: 'QA' });
    await databases.db.updateTable('accounts').set({ is_qa: true }).where('id', '=', tester.accountId).execute();
    const at = new Date('2026-10-01T00:00:00Z');
    await databases.db
      .insertInto('streams')
      .values({
        uid: 'st_qa',
        app_id: other.id,
        buyer_id: tester.accountId,
        name: 'QA stream',
        rules: '{"country": []}',
        created_at: at,
        updated_at: at,
      })
      .execute();
    const before = await qaCreates();
    const rows = [{ stream_uid: 'st_qa' }, { stream_uid: 'st_qa', is_qa: false }, { is_qa: true }, {}].map((change) =>
      event({ ...change, app_id: other.id }),
    );
    await send({ events: rows });
    expect((await qaCreates()) - before).toBe(2);
    const [namedEvent] = await list('streamUid=st_qa');
    expect(namedEvent.stream).toEqual({ uid: 'st_qa', name: 'QA stream' });
  });
});

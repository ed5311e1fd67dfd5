import { expect, it } from 'vitest';
import { positions, listedFields, parseListed, toListed, toRequestRow, toRequestRows, withNames } from './event-fields.ts';

it('[ENT-026] shows a listed row in the form of the wire', () => {
  const values: Readonly<Record<string, unknown>> = {
    id: 7,
    uuid: '01936b0e-7c1e-7a52-9f0b-000000000007',
    app_id: 3,
    type: 'create',
    occurred_at: 1_764_000_000_123_456,
    ip: '203.0.113.9',
    country: '',
    client_uid: 'c-1',
    stream_uid: 'st_1',
    bot: 'L1 BOT',
    postbacks_domain: 'pb.example.com',
    user_agent: null,
    body_request: { a: 1 },
    body_response: '',
    error: null,
    additional_data: [],
    app_bundle: 'com.example',
    stream_name: 'Stream 1',
  };
  // As the database sends it: a JSON array.
  const listedValuesText = JSON.stringify(Object.keys(positions).map((name) => values[name]));
  expect(toRequestRow(JSON.parse(listedValuesText))).toMatchObject({
    id: 7,
    uuid: '01936b0e-7c1e-7a52-9f0b-000000000007',
    app_id: 3,
    app_bundle: 'com.example',
    type: 'create',
    date: '2025-11-24 16:00:00',
    concatenated_date: '2025-11-24 16:00:00.123456',
    ip: '203.0.113.9',
    country: null,
    client_uid: 'c-1',
    stream: { uid: 'st_1', name: 'Stream 1' },
    bot: 'L1 BOT',
    postbacks_domain: 'pb.example.com',
    user_agent: null,
    body_request: { a: 1 },
    body_response: '',
    error: null,
    additional_data: [],
    has_body: true,
    has_response: false,
    has_error: false,
    has_additional_data: false,
    has_user_agent: false,
  });
});

it('[INV-006] completes rows that were stored before a column was, and cuts those of a newer version', () => {
  const storedValues = listedFields.map(({ name }) => (name === 'server_id' ? 3 : name === 'occurred_at' ? 1_764_000_000_123_456 : ''));
  const texts = [storedValues, storedValues.slice(0, positions.server_id), [...storedValues, 'value of a newer column']].map((row) =>
    JSON.stringify(row),
  );
  const rows = toRequestRows(
    parseListed(texts).map((event) => withNames(event, { app_bundle: 'com.example', stream_name: null })),
    { origin: true },
  );
  expect(rows).toMatchObject([
    { server_id: 3, app_bundle: 'com.example' },
    { server_id: null, app_bundle: 'com.example' },
    { server_id: 3, app_bundle: 'com.example' },
  ]);
  expect(() => toListed(storedValues.slice(0, positions.additional_data))).toThrow('Stored event');
});

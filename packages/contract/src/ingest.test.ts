import { describe, expect, it } from 'vitest';
import { fieldErrors } from './field-errors.ts';
import { ingestedEvent } from './ingest.ts';

const good = { type: 'create', date: '2026-11-20T10:11:12.345678Z', ip: '203.0.113.9' };

function errorsOf(row: unknown): Record<string, string[]> {
  const result = ingestedEvent.safeParse(row, { reportInput: true });
  if (result.success) return {};
  const { shape, value } = fieldErrors(result.error);
  return { ...shape, ...value };
}

describe('a row of ingest/events', () => {
  it('fills in defaults', () => {
    expect(ingestedEvent.parse(good)).toMatchObject({
      ...good,
      client_uid: '',
      stream_uid: null,
      country: null,
      bot: [],
      user_agent: null,
      body_request: null,
      body_response: null,
      additional_data: null,
      error: null,
      postbacks_domain: '',
    });
  });

  it.each([
    ['CF L1', ['CF', 'L1']],
    ['CF  L1 CF', ['CF', 'L1']],
    [['BOT', 'BOT'], ['BOT']],
    ['', []],
  ])('reads the labels %j', (bot, expected) => {
    expect(ingestedEvent.parse({ ...good, bot }).bot).toEqual(expected);
  });

  it.each([
    [{}, { type: ['The type field is required.'], date: ['The date field is required.'], ip: ['The ip field is required.'] }],
    [{ ...good, type: 'nonsense' }, { type: ['The selected type is invalid.'] }],
    [{ ...good, type: '' }, { type: ['The type field is required.'] }],
    [{ ...good, type: 5 }, { type: ['The type field must be of type string.'] }],
    [{ ...good, date: true }, { date: ['The date field must be of type string.'] }],
    [{ ...good, id: 'not-a-uuid' }, { id: ['The id must be a UUID.'] }],
    [{ ...good, app_id: '12' }, { app_id: ['The app_id field must be of type integer.'] }],
    [{ ...good, app_id: 1.5 }, { app_id: ['The app_id field must be of type integer.'] }],
    [{ ...good, extra: 1 }, { extra: ['Unknown field.'] }],
    [{ ...good, client_uid: 'x'.repeat(129) }, { client_uid: ['The client_uid field must not be longer than 128 characters.'] }],
    [{ ...good, country: 'DEU' }, { country: ['The selected country is invalid.'] }],
    [{ ...good, bot: 'bad-label' }, { bot: ['The bot field contains an invalid value.'] }],
    [{ ...good, bot: ['ok'] }, { bot: ['The bot field contains an invalid value.'] }],
    [{ ...good, bot: [1] }, { bot: ['The bot field contains an invalid value.'] }],
    [{ ...good, bot: 7 }, { bot: ['The bot field must be of type string.'] }],
    [{ ...good, bot: Array.from({ length: 17 }, (_, i) => `L${i}`) }, { bot: ['The bot field must not have more than 16 items.'] }],
    [{ ...good, error: 5 }, { error: ['The error field must be of type object.'] }],
    [{ ...good, is_qa: 'yes' }, { is_qa: ['The is_qa field must be of type boolean.'] }],
  ])('says what is wrong with %j', (row, expected) => {
    expect(errorsOf(row)).toEqual(expected);
  });

  it('converts an empty optional text to null', () => {
    expect(ingestedEvent.parse({ ...good, country: '', stream_uid: '', postbacks_domain: null })).toMatchObject({
      country: null,
      stream_uid: null,
    });
  });
});

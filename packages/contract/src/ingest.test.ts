import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from './exact-json.ts';
import { fieldErrors } from './field-errors.ts';
import { ingestedConversion, ingestedEvent } from './ingest.ts';

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

describe('the payout of a conversion', () => {
  /** The payout of a row with this JSON text; null if it is rejected. */
  const payoutOf = (text: string): string | null => {
    const row = parseExactly(`{"payout":${text}}`, (key) => key === 'payout');
    const { data, success } = ingestedConversion.shape.payout.safeParse(Object(row).payout);
    return success ? data : null;
  };

  it('[DATA-009] is read to the letter, as number and as text', () => {
    for (const text of ['12345678901.99999999', '19.90000000000000000001', '1e-400', '1e-5', '1e400', '1234567890123.0'])
      expect([text, payoutOf(text)]).toEqual([text, null]);
    for (const [text, payout] of Object.entries({
      '998126926240.8781': '998126926240.8781',
      '1.25E+2': '125.000',
      '"1\\u002e5"': '1.5',
      '-0.0': '0',
    }))
      expect(payoutOf(text)).toBe(payout);
  });

  it('[DATA-004, DATA-009] has no zeros that the database would count among its digits', () => {
    const zeros = '0'.repeat(20_000);
    for (const text of [`1.5${zeros}`, `"1.5${zeros}"`, `"${zeros}1.5000"`]) expect(Number(payoutOf(text))).toBe(1.5);
    for (const text of [`1.5${zeros}`, `"${zeros}1.5000"`]) expect(payoutOf(text)?.length).toBeLessThan(8);
  });

  it('[DATA-009] is the number that was sent, however its exponent is written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -9_999_999_999n, max: 9_999_999_999n }), fc.integer({ min: -9, max: 9 }), (digits, exponent) => {
        const scaled = 10n ** 9n * digits * 10n ** BigInt(exponent + 9);
        const isAmount = scaled % 10n ** 14n === 0n && scaled < 10n ** 30n && scaled > -(10n ** 30n);
        const payout = payoutOf(`${digits}e${exponent}`);
        expect(payout === null).toBe(!isAmount);
        if (payout === null) return;
        const [whole = '', fraction = ''] = payout.split('.');
        expect(BigInt(whole + fraction.padEnd(4, '0')) * 10n ** 14n).toBe(scaled);
      }),
    );
  });
});

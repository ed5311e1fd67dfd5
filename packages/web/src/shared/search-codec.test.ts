import fc from 'fast-check';
import { readQuery } from '@switchyard/contract/listing';
import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './search-codec.ts';

const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed());
const search = fc.dictionary(text, fc.oneof(text, fc.array(text, { minLength: 2, maxLength: 4 })));

describe('search codec', () => {
  it('[SHELL-003] gives back every text exactly as it was put in', () => {
    fc.assert(
      fc.property(search, (values) => {
        expect(Object.entries(parseSearch(stringifySearch(values)))).toEqual(Object.entries(values));
      }),
    );
  });

  it('[SHELL-003] settles after one round, whatever somebody typed into the address', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
        (typedText) => {
          const once = stringifySearch(parseSearch(typedText));
          expect(stringifySearch(parseSearch(once))).toBe(once);
        },
      ),
    );
  });

  it('[SHELL-003] keeps long digits, leaves out what is empty and repeats lists', () => {
    expect(stringifySearch({ startTabName: 'Event', page: 2, search: '', geo: ['DE', 'FR'], none: undefined })).toBe(
      '?startTabName=Event&page=2&geo=DE&geo=FR',
    );
    expect(parseSearch('?id=12345678901234567890&q=123&geo=DE&geo=FR')).toEqual({
      id: '12345678901234567890',
      q: '123',
      geo: ['DE', 'FR'],
    });
  });

  it('[INV-063] writes the uids of streams in the form that takes them as they are, if one needs it', () => {
    expect(stringifySearch({ streamUid: ['fb', 'us-1'], geo: ['DE'] })).toBe('?streamUid=fb&streamUid=us-1&geo=DE');
    const written = stringifySearch({ streamUid: ['fb,us-1', 'b'], streamUidNot: [' sp '] });
    expect({ ...readQuery(written) }).toEqual({ ...readQuery('streamUid[]=fb,us-1&streamUid[]=b&streamUidNot[]=%20sp%20') });
  });

  it('[S12] treats a parameter named __proto__ like any other', () => {
    const parameters = parseSearch('?__proto__=x');
    expect(Object.keys(parameters)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
  });
});

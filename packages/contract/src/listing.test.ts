import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { appsQuery } from './apps.ts';
import { fieldErrors } from './field-errors.ts';
import { multiple, readQuery, searchText } from './listing.ts';
import { allRequestsQuery } from './all-requests.ts';

const errorsOf = (search: string): Record<string, string[]> => {
  const result = allRequestsQuery.safeParse(readQuery(search), { reportInput: true });
  return result.success ? {} : { ...fieldErrors(result.error).shape, ...fieldErrors(result.error).value };
};

describe('list queries', () => {
  it('[APPS-012, CONST-027] starts with keyId descending, page 1, status active and the cache', () => {
    expect(appsQuery.parse({})).toEqual({
      page: 1,
      limit: 20,
      orderBy: 'keyId',
      orderDirection: 'desc',
      status: 'active',
      search: undefined,
      isCache: true,
    });
  });

  it('[CONST-036] sorts requests by date, newest first, by default', () => {
    expect(allRequestsQuery.parse({})).toMatchObject({ orderBy: 'concatenated_date', orderDirection: 'desc', limit: 50 });
  });

  it.each([
    ['page=0', { page: 1 }],
    ['page=-3', { page: 1 }],
    ['page=two', { page: 1 }],
    ['page=7', { page: 7 }],
    ['limit=0', { limit: 20 }],
    ['limit=many', { limit: 20 }],
    ['limit=5000', { limit: 200 }],
    ['orderBy=password_hash', { orderBy: 'keyId' }],
    ['orderDirection=sideways', { orderDirection: 'desc' }],
    ['status=', { status: 'active' }],
    ['status=active&status=all', { status: 'all' }],
    ['unknown=1', {}],
    [`search=%20${'x'.repeat(255)}%20`, { search: 'x'.repeat(255) }],
    ['search=%20%20', { search: undefined }],
  ])('forgives %s', (search, expected) => {
    expect(appsQuery.parse(readQuery(search))).toMatchObject(expected);
  });

  it.each([
    ['type=nonsense', { type: ['The selected type is invalid.'] }],
    ['geo=DEU', { geo: ['The geo field contains an invalid value.'] }],
    ['startDate=31.12.2026', { startDate: ['Invalid date string format'] }],
    ['emptyPostbacksDomain=perhaps', { emptyPostbacksDomain: ['The selected emptyPostbacksDomain is invalid.'] }],
    [`search=${'x'.repeat(101)}`, { search: ['The search field must not be longer than 100 characters.'] }],
    ['search=%00', { search: ['The search field contains invalid characters.'] }],
  ])('rejects %s with a clear text', (search, expected) => {
    expect(errorsOf(search)).toEqual(expected);
  });

  it('parses repeated and comma-separated values, each once', () => {
    const query = z.object({ type: multiple(z.string()) });
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (values) => {
        const forms = [values.map((v) => `type[]=${v}`).join('&'), values.map((v) => `type=${v}`).join('&'), `type=${values.join(',')}`];
        for (const form of forms) expect(query.parse(readQuery(form)).type).toEqual([...new Set(values)]);
      }),
    );
  });

  it('[INV-063] takes literal values of the uid of a stream in its list form alone', () => {
    const query = z.object({ streamUid: multiple(z.string()), streamUidNot: multiple(z.string()), search: searchText() });
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 9 }), (uids) => {
        const literal = uids.map((uid) => `streamUid[]=${encodeURIComponent(uid)}`).join('&');
        expect(query.parse(readQuery(literal)).streamUid).toEqual([...new Set(uids)]);
        const plain = uids.map((uid) => `streamUidNot=${encodeURIComponent(uid)}`).join('&');
        const parts = uids.flatMap((uid) => uid.split(',')).map((part) => part.trim());
        const wanted = [...new Set(parts.filter((part) => part !== ''))];
        expect(query.parse(readQuery(plain)).streamUidNot).toEqual(wanted.length === 0 ? undefined : wanted);
      }),
    );
    expect(query.parse(readQuery('streamUid[]=&streamUid[]=a,b&streamUid=c,d'))).toEqual({ streamUid: ['a,b', 'c', 'd'] });
    // A list may search a single uid by the same name.
    expect(z.object({ streamUid: searchText() }).parse(readQuery('streamUid[]=a,b'))).toEqual({ streamUid: 'a,b' });
    expect(z.object({ streamUid: searchText() }).parse(readQuery('streamUid=a,b&streamUid[]='))).toEqual({ streamUid: 'a,b' });
  });

  it('accepts a country code once in any case, and nothing else', () => {
    const codes = Array.from({ length: 100 }, (_, at) => String.fromCodePoint(65 + Math.floor(at / 26), 65 + (at % 26)));
    const query = allRequestsQuery.parse(readQuery(`geo=${[...codes, ...codes.map((code) => code.toLowerCase())].join(',')}`));
    expect(query.geo).toEqual(codes);
    expect(errorsOf(`geo=${[...codes, 'zz'].join(',')}`)).toHaveProperty('geo');
    expect(errorsOf('geo=%C3%9F')).toEqual({ geo: ['The geo field contains an invalid value.'] });
  });

  it('never lets a parameter reach the prototype', () => {
    expect(Object.getPrototypeOf(readQuery('__proto__=x'))).toBeNull();
  });
});

import { readQuery } from '@switchyard/contract/listing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointUrl } from './endpoint-url.ts';

describe('address of a call', () => {
  it('[API-001] puts paths under /api/ unless they begin with a slash', () => {
    expect(endpointUrl('apps')).toBe('/api/apps');
    expect(endpointUrl('/livez')).toBe('/livez');
    expect(endpointUrl('apps/{id}/restore', { id: 12 })).toBe('/api/apps/12/restore');
    expect(endpointUrl('black-list/{ip}', { ip: '2001:db8::/1' })).toBe('/api/black-list/2001%3Adb8%3A%3A%2F1');
    expect(() => endpointUrl('apps/{id}')).toThrow(TypeError);
  });

  it('[APPS-008, AMB-067] sends booleans as 1 and 0, lists as name[], and leaves out what is not asked', () => {
    const query = { isCache: true, isSend: false, type: ['create', 'error'], search: '', page: 2, geo: [], none: undefined };
    expect(endpointUrl('apps', {}, query)).toBe('/api/apps?isCache=1&isSend=0&type[]=create&type[]=error&page=2');
  });

  it('[AMB-067] is read back by the contract as it was meant', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1 }), (search, type) => {
        const url = endpointUrl('apps', {}, { search, type });
        expect({ ...readQuery(url.slice(url.indexOf('?'))) }).toEqual({ search: [search], type });
      }),
    );
  });
});

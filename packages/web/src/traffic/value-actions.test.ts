import { allRequestsQuery } from '@switchyard/contract/all-requests';
import { conversionsQuery } from '@switchyard/contract/conversions';
import { describe, expect, it } from 'vitest';
import { stringifySearch } from '../shared/search-codec.ts';
import { allRequestValues } from './request-values.ts';
import { valueChanges, valuePage, type ValueKind } from './value-actions.ts';

function changes(kind: ValueKind, value: string, search: Record<string, string | string[]> = {}) {
  return valueChanges({ schema: allRequestsQuery, filters: allRequestValues, search: stringifySearch(search) }, kind, value);
}

describe('filters of values', () => {
  it.each([
    ['app', '12', { appId: ['12'] }, undefined],
    ['stream', 's-17', { streamUid: ['s-17'], streamUidNot: undefined }, { streamUidNot: ['s-17'], streamUid: undefined }],
    ['ip', '203.0.113.7', { search: '203.0.113.7', ipNot: undefined }, { ipNot: ['203.0.113.7'], search: undefined }],
    ['country', 'DE', { geo: ['DE'], geoNot: undefined }, { geoNot: ['DE'], geo: undefined }],
    ['client', 'c-1, c-2', { clientId: 'c-1, c-2' }, undefined],
    ['type', 'create', { type: ['create'], typeNot: undefined }, { typeNot: ['create'], type: undefined }],
    ['asn', '64500', { asn: ['64500'], asnNot: undefined }, { asnNot: ['64500'], asn: undefined }],
    ['asn', '', undefined, undefined],
    ['bot', 'L1', { bot: ['L1'], botNot: undefined }, { botNot: ['L1'], bot: undefined }],
  ] as const)('[INV-031] of requests: %s %s', (kind, value, only, not) => {
    const foundChanges = changes(kind, value);
    expect([foundChanges.only, foundChanges.not]).toEqual([only, not]);
  });

  it('[INV-031] add to what is excluded and never contradict each other', () => {
    expect(changes('type', 'create', { type: ['create', 'track'], typeNot: 'proxy' })).toEqual({
      only: { type: ['create'], typeNot: ['proxy'] },
      not: { type: ['track'], typeNot: ['proxy', 'create'] },
    });
  });

  it('[INV-031] are left out where the list has none, has it already, or does not take the value', () => {
    expect(changes('uid', 'u-1')).toEqual({});
    expect(changes('type', 'create', { type: 'create' }).only).toBeUndefined();
    expect(changes('stream', 'a,b').only).toMatchObject({ streamUid: ['a,b'] });
    expect(changes('stream', 'x'.repeat(129))).toEqual({});
  });

  it('[INV-031] of other lists are theirs', () => {
    const place = { schema: conversionsQuery, filters: { client: { only: 'clientUid' } }, search: '?page=3' };
    expect(valueChanges(place, 'client', 'c-1')).toEqual({ only: { clientUid: 'c-1' } });
  });
});

describe('pages of values', () => {
  it('[INV-031] are those that the account may open', () => {
    expect(valuePage('app', '12', ['manager_app_edit'])).toBeNull();
    expect(valuePage('app', '12', ['manager_app_edit', 'manager_app_requests'])?.path).toBe('/apps/12/edit?startTabName=Event');
    expect(valuePage('asn', '13335', ['manager_settings_asns'])?.path).toBe('/asns?search=AS13335');
    expect(valuePage('asn', '13335', [])).toBeNull();
    expect(valuePage('ip', '2001:db8::1', ['manager_app_requests'])?.path).toBe('/addresses/2001%3Adb8%3A%3A1');
    expect(valuePage('client', 'a/b', ['manager_app_all_requests'])?.path).toBe('/clients/a%2Fb');
    expect(valuePage('client', '..', ['manager_app_all_requests'])).toBeNull();
    expect(valuePage('ip', '203.0.113.7', ['manager_settings_asns'])).toBeNull();
    expect(valuePage('type', 'create', [])).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../test/factories/app.ts';
import { openListedApps } from '../../../test/listed-apps.ts';

const { databases, api, admin, list, names } = await openListedApps();

describe('GET apps: which apps', () => {
  it('[APPS-013][APPS-006][APPS-056] lists active apps by default, archived ones or both on demand', async () => {
    expect(await names('')).toEqual(['ÉPSILON \\', 'gamma 100%', 'Alpha', 'beta']);
    expect(await names('?status=active')).toEqual(await names(''));
    expect(await names('?status=')).toEqual(await names(''));
    expect(await names('?status=deleted')).toEqual(['Delta']);
    expect(await names('?status=all')).toEqual(['ÉPSILON \\', 'Delta', 'gamma 100%', 'Alpha', 'beta']);
  });

  it.each([
    ['ALP', ['Alpha']],
    [' alpha ', ['Alpha']],
    ['yankee', ['Alpha']],
    ['OSCAR.example', ['gamma 100%']],
    ['%', ['gamma 100%']],
    ['_', ['gamma 100%']],
    ['\\', ['ÉPSILON \\']],
    ['épsilon', ['ÉPSILON \\']],
    ['a%a', []],
    ['no such app', []],
    ["' or 1=1 --", []],
  ])('[APPS-004][APPS-034] searches name, bundle and domain for %j literally', async (search, expected) => {
    const matches = await list(`?search=${encodeURIComponent(search)}`);
    expect(matches.data.map((app) => app.name)).toEqual(expected);
    expect(matches.pagination.total).toBe(expected.length);
  });

  it('[APPS-004] takes all digits for an id as well as for text', async () => {
    const numberedApp = await createApp(databases, { name: 'Number 55555', bundle: 'com.numbered.app', domain: 'numbered.example' });
    const plain = await createApp(databases, { name: 'Plain', bundle: 'com.plain.app', domain: 'plain.example' });
    const ids = async (search: string | number) => (await list(`?search=${search}`)).data.map((row) => row.id);
    expect(await ids(55555)).toEqual([numberedApp.id]);
    expect(await ids(plain.id)).toEqual([plain.id]);
    expect(await ids(`0${plain.id}`)).toEqual([]);
    expect(await ids('99999999999999999999')).toEqual([]);
    await databases.db.deleteFrom('apps').where('id', 'in', [numberedApp.id, plain.id]).execute();
  });

  it('[APPS-013][APPS-004][APPS-008] rejects values that mean nothing', async () => {
    const answer = await api.call('GET', `/api/apps?status=gone&isCache=maybe&search=${'a'.repeat(256)}`, admin);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      status: ['The selected status is invalid.'],
      isCache: ['The selected isCache is invalid.'],
      search: ['The search field must not be longer than 255 characters.'],
    });
  });
});

describe('GET apps: in which order', () => {
  it.each([
    ['keyId', ['ÉPSILON \\', 'Delta', 'gamma 100%', 'Alpha', 'beta']],
    ['keyName', ['gamma 100%', 'ÉPSILON \\', 'Delta', 'beta', 'Alpha']],
    ['keyBundle', ['beta', 'Alpha', 'gamma 100%', 'Delta', 'ÉPSILON \\']],
    ['keyDomain', ['ÉPSILON \\', 'Delta', 'gamma 100%', 'Alpha', 'beta']],
  ])('[APPS-014][APPS-015][APPS-017][APPS-019] sorts by %s, whatever the case', async (orderBy, descending) => {
    expect(await names(`?status=all&orderBy=${orderBy}&orderDirection=desc`)).toEqual(descending);
    expect(await names(`?status=all&orderBy=${orderBy}&orderDirection=asc`)).toEqual([...descending].reverse());
  });

  it('[APPS-021] sorts by vertical, ties newest first either way', async () => {
    expect(await names('?status=all&orderBy=keyV&orderDirection=asc')).toEqual(['Delta', 'Alpha', 'beta', 'ÉPSILON \\', 'gamma 100%']);
    expect(await names('?status=all&orderBy=keyV&orderDirection=desc')).toEqual(['gamma 100%', 'ÉPSILON \\', 'beta', 'Delta', 'Alpha']);
  });

  it('[APPS-012, AMB-079] sorts by keyId descending by default and for any key it does not know', async () => {
    const byDefault = await names('?status=all');
    expect(byDefault[0]).toBe('ÉPSILON \\');
    for (const query of [
      'orderBy=password_hash',
      'orderBy=password_hash&orderDirection=asc',
      'orderBy=keyName&orderDirection=sideways',
      'orderBy=keyId&orderDirection=sideways',
      'orderBy=&orderDirection=',
      'orderBy=id;drop table apps',
    ]) {
      expect(await names(`?status=all&${query}`)).toEqual(byDefault);
    }
  });
});

describe('GET apps: which page', () => {
  it('[APPS-011][ENT-019][ENT-020][ENT-021][ENT-022] returns every app once over all pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.constantFrom('keyId', 'keyName', 'keyV'), async (limit, orderBy) => {
        const ids: number[] = [];
        for (let number = 1; ; number++) {
          const { data, pagination: info } = await list(`?status=all&limit=${limit}&page=${number}&orderBy=${orderBy}`);
          ids.push(...data.map((app) => app.id));
          expect(info).toMatchObject({
            total: 5,
            count: data.length,
            limit,
            currentPage: number,
            current_page: number,
            prev_cursor: null,
            next_cursor: null,
          });
          expect(info.totalPages).toBe(Math.ceil(5 / limit));
          expect(info.last_page).toBe(info.totalPages);
          expect(info.links.map((link) => link.label).slice(0, 2)).toEqual(['Previous', '1']);
          if (number >= (info.totalPages ?? 0)) break;
        }
        expect(new Set(ids).size).toBe(5);
        expect(ids).toHaveLength(5);
      }),
      { numRuns: 12 },
    );
  });

  it('[APPS-011] answers beyond the end with no rows and true totals, and anything odd with the first page', async () => {
    expect(await list('?page=7&limit=2')).toMatchObject({ data: [], pagination: { total: 4, count: 0, currentPage: 7, totalPages: 2 } });
    for (const odd of ['page=0', 'page=-1', 'page=two', 'page=']) expect((await list(`?${odd}`)).pagination.currentPage).toBe(1);
    expect((await list('?limit=0')).pagination.limit).toBe(20);
    expect((await list('?limit=5000')).pagination.limit).toBe(200);
  });
});

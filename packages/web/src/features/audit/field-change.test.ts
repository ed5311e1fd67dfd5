import { describe, expect, it } from 'vitest';
import { entityPath } from './entity-path.ts';
import { fieldChange } from './field-change.ts';
import { sampleRow } from './testing/sample-rows.ts';

const plain = (_: string, value: unknown): unknown => value;

describe('a changed field', () => {
  it.each([
    ['text', 'a.example', 'b.example', { kind: 'value', before: 'a.example', after: 'b.example' }],
    ['what was empty', null, 'x', { kind: 'value', before: null, after: 'x' }],
    ['what is empty now', 'x', '', { kind: 'value', before: 'x', after: null }],
    ['a switch', true, false, { kind: 'value', before: 'yes', after: 'no' }],
    ['a number', 0, 60, { kind: 'value', before: '0', after: '60' }],
    ['an object that is new', null, { code: 404 }, { kind: 'value', before: null, after: '{\n  "code": 404\n}' }],
  ])('%s is shown before and after', (_, from, to, change) => {
    expect(fieldChange({ field: 'any', from, to }, plain)).toEqual(change);
  });

  it('[HIST-003] of JSON or of a text of several lines is shown by line', () => {
    const lines = [
      { kind: 'same', text: '{', place: 0 },
      { kind: 'removed', text: '  "code": 200', place: 1 },
      { kind: 'added', text: '  "code": 404', place: 2 },
      { kind: 'same', text: '}', place: 3 },
    ];
    expect(fieldChange({ field: 'any', from: { code: 200 }, to: { code: 404 } }, plain)).toEqual({ kind: 'lines', lines });
    expect(fieldChange({ field: 'any', from: '{"code":200}', to: '{"code": 404}' }, plain)).toEqual({ kind: 'lines', lines });
    const spaced = { kind: 'value', before: '{"code":200}', after: '{ "code": 200 }' };
    expect(fieldChange({ field: 'any', from: '{"code":200}', to: '{ "code": 200 }' }, plain)).toEqual(spaced);
  });

  it('of a list is shown by what came and what went', () => {
    expect(fieldChange({ field: 'any', from: [1, 2, 3], to: [2, 3, 5, 7] }, plain)).toEqual({
      kind: 'list',
      added: ['5', '7'],
      removed: ['1'],
      kept: 2,
    });
    expect(fieldChange({ field: 'any', from: null, to: ['Admin'] }, plain)).toEqual({
      kind: 'list',
      added: ['Admin'],
      removed: [],
      kept: 0,
    });
    expect(fieldChange({ field: 'any', from: ['Admin', 'QA'], to: [] }, plain)).toEqual({
      kind: 'list',
      added: [],
      removed: ['Admin', 'QA'],
      kept: 0,
    });
  });

  it('[AMB-189] of ids names them, one by one or in a list', () => {
    const nameOf = (field: string, value: unknown): unknown => (field === 'appIds' && value === 3 ? 'Acme Bet' : value);
    const change = fieldChange({ field: 'appIds', from: [3, 6], to: [6, 18] }, nameOf);
    expect(change).toEqual({ kind: 'list', added: ['18'], removed: ['Acme Bet'], kept: 1 });
    expect(fieldChange({ field: 'appIds', from: 3, to: 4 }, nameOf)).toEqual({ kind: 'value', before: 'Acme Bet', after: '4' });
  });

  it('that is a secret has no value', () => {
    expect(fieldChange({ field: 'any', from: null, to: null }, plain)).toEqual({ kind: 'secret' });
  });
});

describe('the page of what was changed', () => {
  const all = ['manager_app_edit', 'manager_settings_roles', 'manager_user_edit'];
  it.each([
    ['app', '/apps/12/edit?startTabName=General'],
    ['role', '/roles/user/12/edit'],
    ['user', '/users/12/edit'],
    ['buyer', '/users/buyers/12/edit'],
    ['session', null],
    ['app_server', null],
  ])('of a %s is %s', (entity, path) => {
    expect(entityPath({ ...sampleRow, entity }, all)).toBe(path);
    expect(entityPath({ ...sampleRow, entity }, [])).toBeNull();
  });

  it('is none for what was deleted or has no number', () => {
    expect(entityPath({ ...sampleRow, entity: 'user', action: 'delete' }, all)).toBeNull();
    expect(entityPath({ ...sampleRow, entity_id: null }, all)).toBeNull();
    expect(entityPath({ ...sampleRow, entity_id: '2026-11-20' }, all)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { changesBetween, secretChange } from './transaction.ts';

describe('changes of an entity', () => {
  it('names the fields that differ and leaves out the rest', () => {
    const before = { name: 'Acme', domain: 'old.example', userIds: [1, 2], vertical: 'bet' };
    const after = { name: 'Acme', domain: 'new.example', userIds: [1, 3], vertical: 'bet' };
    expect(changesBetween(before, after)).toEqual([
      { field: 'domain', from: 'old.example', to: 'new.example' },
      { field: 'userIds', from: [1, 2], to: [1, 3] },
    ]);
  });

  it('takes a field of a new entity as coming from null', () => {
    expect(changesBetween({}, { name: 'Acme', region: null })).toEqual([{ field: 'name', from: null, to: 'Acme' }]);
  });

  it('records only the name of a secret', () => {
    expect(secretChange('keys.apiSecret')).toEqual({ field: 'keys.apiSecret', from: null, to: null });
  });
});

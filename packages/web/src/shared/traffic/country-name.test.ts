import { describe, expect, it } from 'vitest';
import { countryName } from '@switchyard/contract/countries';
import { countries } from './country-name.ts';

describe('countries', () => {
  it('[REQ-005] lists every country by its English name', () => {
    expect(countries).toHaveLength(249);
    expect(countries.every(({ code, name }) => name !== code && name.length > 2)).toBe(true);
    expect(countries.map(({ name }) => name)).toEqual(countries.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('shows an unknown code as it is', () => {
    expect(countryName('DE')).toBe('Germany');
    expect(countryName('AA')).toBe('AA');
    expect(countryName('junk')).toBe('junk');
  });
});

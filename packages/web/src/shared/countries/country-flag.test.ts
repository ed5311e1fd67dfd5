import { countryCodes, countryName } from '@switchyard/contract/countries';
import { describe, expect, it } from 'vitest';
import { countryOptions, flagOf } from './country-flag.tsx';

describe('country options', () => {
  it('[REQ-005] are every country by its English name', () => {
    expect(countryOptions).toHaveLength(249);
    expect(countryOptions.every(({ value, name }) => name !== value && name.length > 2)).toBe(true);
    const names = countryOptions.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  it('shows an unknown code as it is', () => {
    expect(countryName('DE')).toBe('Germany');
    expect(countryName('AA')).toBe('AA');
    expect(countryName('junk')).toBe('junk');
  });
});

describe('country pictures', () => {
  it('[WID-070, AMB-055] give every country but Russia its flag, ALL and unknown codes a globe', () => {
    const flags = countryCodes.filter((code) => code !== 'RU').map(flagOf);
    expect(flags.filter((flag) => flag.kind !== 'flag')).toEqual([]);
    // A few territories fly another country's flag.
    expect(new Set(flags.map((flag) => JSON.stringify(flag))).size).toBeGreaterThan(240);
    expect([flagOf('ALL'), flagOf('ZZ'), flagOf('de'), flagOf(null)]).toEqual(Array.from({ length: 4 }, () => ({ kind: 'globe' })));
  });

  it('[WID-071] Russia is an unavailable page', () => {
    expect(flagOf('RU')).toEqual({ kind: 'unavailable' });
  });
});

import { countryCodes } from '@switchyard/contract/countries';
import { requestTypes } from '@switchyard/contract/requests';
import { describe, expect, it } from 'vitest';
import { flagOf } from './country-flag.tsx';
import { typeColour } from './request-type-label.tsx';
import { verticalsOf } from './vertical-icon.tsx';

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

describe('request types', () => {
  it('[REQ-034] each have a colour of their own', () => {
    expect(new Set(requestTypes.map(typeColour)).size).toBe(7);
  });
});

describe('verticals', () => {
  it('[AMB-086] may be one, several with commas between, or a list', () => {
    expect(verticalsOf('bet')).toEqual(['bet']);
    expect(verticalsOf('bet, casino')).toEqual(['bet', 'casino']);
    expect(verticalsOf(['bet', 'finance'])).toEqual(['bet', 'finance']);
    expect(verticalsOf('')).toEqual([]);
  });
});

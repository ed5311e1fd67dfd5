import { countryCodes } from '@switchyard/contract/countries';

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** English name of a country by its upper-case 2-letter code; the code itself when nobody knows it. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
}

/** Every country with its English name, in the order of the names. */
export const countries: readonly { code: string; name: string }[] = countryCodes
  .map((code) => ({ code, name: countryName(code) }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

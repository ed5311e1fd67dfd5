import { countryCodes, countryName } from '@switchyard/contract/countries';

/** Every country with its English name, in the order of the names. */
export const countries: readonly { code: string; name: string }[] = countryCodes
  .map((code) => ({ code, name: countryName(code) }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

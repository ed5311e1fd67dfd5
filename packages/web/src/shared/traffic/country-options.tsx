import type { PickOption } from '../ui/pick-options.tsx';
import { CountryFlag } from './country-flag.tsx';
import { countries } from './country-name.ts';

/** Every country to pick from, by its English name, with its flag (REQ-005). */
export const countryOptions: readonly PickOption<string>[] = countries.map(({ code, name }) => ({
  value: code,
  name,
  icon: <CountryFlag code={code} isDecorative />,
}));

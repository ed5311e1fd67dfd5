import { countryCodes, countryName } from '@switchyard/contract/countries';
import { VisuallyHidden } from '@mantine/core';
import { IconBrowserOff, IconWorld } from '@tabler/icons-react';
import type { PickOption } from '../ui/pick-options.tsx';
import classes from './country-flag.module.css';

/** Address of each flag's file by its path; only the flags that are shown get loaded. */
const files = import.meta.glob<string>('../../../../../node_modules/country-flag-icons/3x2/??.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

const addresses = new Map(Object.entries(files).map(([path, address]) => [path.slice(-6, -4), address]));

/** Which picture a country has: Russia an unavailable page, `ALL` and unknown codes a globe. */
export function flagOf(code: string | null): { kind: 'flag'; address: string } | { kind: 'unavailable' } | { kind: 'globe' } {
  if (code === 'RU') return { kind: 'unavailable' };
  const address = code === null ? undefined : addresses.get(code);
  return address === undefined ? { kind: 'globe' } : { kind: 'flag', address };
}

type Props = {
  /** Upper-case 2-letter code, `ALL`, or null when the country is unknown. */
  code: string | null;
  /** Hides the picture from assistive technology, because the name is beside it. */
  isDecorative?: boolean;
};

/** The flag of a country. */
export function CountryFlag({ code, isDecorative = false }: Props) {
  const flag = flagOf(code);
  const name = code === null ? 'Country unknown' : code === 'ALL' ? 'All countries' : countryName(code);
  if (flag.kind === 'flag') {
    return (
      <img
        className={classes['flag']}
        src={flag.address}
        alt={isDecorative ? '' : name}
        title={name}
        loading="lazy"
        width={18}
        height={12}
      />
    );
  }
  const Picture = flag.kind === 'unavailable' ? IconBrowserOff : IconWorld;
  return (
    <span className={classes['flagIcon']} title={name} data-flag={flag.kind}>
      <Picture size={16} stroke={1.6} aria-hidden />
      {!isDecorative && <VisuallyHidden>{name}</VisuallyHidden>}
    </span>
  );
}

/** Every country to pick from, by its English name, with its flag. */
export const countryOptions: readonly PickOption<string>[] = countryCodes
  .map((code) => ({ value: code, name: countryName(code), icon: <CountryFlag code={code} isDecorative /> }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

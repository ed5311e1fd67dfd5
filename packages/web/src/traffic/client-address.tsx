import { countryName } from '@switchyard/contract/countries';
import { CountryFlag } from '../shared/countries/country-flag.tsx';
import classes from './traffic.module.css';
import { ValueMenu } from './value-menu.tsx';

/** Where a request came from: flag, country or 'N/A', IP address. Country and address have menus. */
export function ClientAddress({ country, ip }: { country: string | null; ip: string }) {
  return (
    <span className={classes['address']}>
      <CountryValue country={country} />
      <ValueMenu kind="ip" value={ip}>
        <span className="mono" title={ip}>
          {ip}
        </span>
      </ValueMenu>
    </span>
  );
}

/** Flag and country with a menu, or 'N/A'. */
export function CountryValue({ country }: { country: string | null }) {
  const place = (
    <span className={classes['place']}>
      <CountryFlag code={country} isDecorative={country === null} />
      <span className={classes['country']}>{country ?? 'N/A'}</span>
    </span>
  );
  if (country === null) return place;
  return (
    <ValueMenu kind="country" value={country} text={countryName(country)}>
      {place}
    </ValueMenu>
  );
}

import { countryName } from '@switchyard/contract/countries';
import { CountryFlag } from '../shared/countries/country-flag.tsx';
import classes from './traffic.module.css';
import { ValueMenu } from './value-menu.tsx';

/** Where a request came from: flag, country or 'N/A', IP address. Country and address have menus. */
export function ClientAddress({ country, ip }: { country: string | null; ip: string }) {
  const place = (
    <span className={classes['place']}>
      <CountryFlag code={country} isDecorative={country === null} />
      <span className={classes['country']}>{country ?? 'N/A'}</span>
    </span>
  );
  return (
    <span className={classes['address']}>
      {country === null ? (
        place
      ) : (
        <ValueMenu kind="country" value={country} text={countryName(country)}>
          {place}
        </ValueMenu>
      )}
      <ValueMenu kind="ip" value={ip}>
        <span className="mono" title={ip}>
          {ip}
        </span>
      </ValueMenu>
    </span>
  );
}

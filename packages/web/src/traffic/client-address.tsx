import { CountryFlag } from '../shared/countries/country-flag.tsx';
import classes from './traffic.module.css';

/** Where a request came from: flag, country or 'N/A', IP address. */
export function ClientAddress({ country, ip }: { country: string | null; ip: string }) {
  return (
    <span className={classes['address']}>
      <CountryFlag code={country} isDecorative={country === null} />
      <span className={classes['country']}>{country ?? 'N/A'}</span>
      <span className={`${classes['ip'] ?? ''} mono`} title={ip}>
        {ip}
      </span>
    </span>
  );
}

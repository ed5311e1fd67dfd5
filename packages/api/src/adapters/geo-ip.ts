import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Response, Reader } from 'mmdb-lib';

/** Country of an address as two upper-case letters, or null when the database knows none. */
export type GeoIp = { countryOf(ip: string): string | null };

/**
 * Addresses for documentation (RFC 5737, RFC 3849, RFC 9637): nobody sends from them, but the registry names a country for some.
 * Addresses are in their canonical form.
 */
const documentation = /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^2001:db8:|^3fff:[0-9a-f]{0,3}:/;

/**
 * Opens the packaged country database (ip-location-db geo-whois-asn-country, CC0): 8 MB in memory, 3 µs a look-up.
 * Addresses must be valid; private and unknown ones, and those for documentation, give null.
 */
export function openGeoIp(): GeoIp {
  const path = createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');
  const reader = new Reader<Response>(readFileSync(path));
  return {
    countryOf(ip) {
      if (documentation.test(ip)) return null;
      // The records of this database hold nothing but `country_code`, which the reader's types do not know.
      const record: object | null = reader.get(ip);
      const code: unknown = record === null ? undefined : Reflect.get(record, 'country_code');
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null;
    },
  };
}

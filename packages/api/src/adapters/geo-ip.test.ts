import { expect, it } from 'vitest';
import { openGeoIp } from './geo-ip.ts';

it('[DATA-003] no country is that of addresses for documentation, and private ones', () => {
  const geoIp = openGeoIp();
  const countries = (...addresses: readonly string[]) => addresses.map((ip) => geoIp.countryOf(ip));
  expect(countries('192.0.2.1', '198.51.100.255', '203.0.113.9', '2001:db8::1', '3fff::1', '3fff:fff::1', '10.1.2.3', '::1')).toEqual(
    Array.from({ length: 8 }, () => null),
  );
  expect(countries('8.8.8.8', '1.1.1.1', '2001:4860:4860::8888').every((country) => country !== null)).toBe(true);
});

import type { Random } from './seeded-random.ts';

/** Where end clients come from: how often, what they speak, and blocks of addresses that the GeoIP data places there. */
export type ClientCountry = {
  code: string;
  /** Share of organic traffic, which no stream steers. */
  weight: number;
  language: string;
  timezone: string;
  carriers: readonly string[];
  /** First two bytes of IPv4 blocks that lie in the country as a whole. */
  ipv4: readonly string[];
  /** First 32 bits of an IPv6 block. */
  ipv6: string;
};

type Line = readonly [string, number, string, string, readonly string[], readonly string[], string];

const lines: readonly Line[] = [
  ['BR', 14, 'pt-BR', 'America/Sao_Paulo', ['Vivo', 'Claro BR', 'TIM'], ['177.81', '179.203', '187.25', '189.56'], '2001:1280'],
  ['IN', 13, 'hi-IN', 'Asia/Kolkata', ['Jio', 'Airtel', 'Vi'], ['27.63', '106.201', '117.97', '59.94'], '2001:e48'],
  ['DE', 9, 'de-DE', 'Europe/Berlin', ['Telekom.de', 'Vodafone.de', 'o2-de'], ['79.210', '87.157', '93.207', '2.28'], '2001:658'],
  ['PL', 7, 'pl-PL', 'Europe/Warsaw', ['Play', 'Orange PL', 'Plus'], ['5.173', '79.187', '83.31', '178.235'], '2001:6d8'],
  ['TR', 6, 'tr-TR', 'Europe/Istanbul', ['Turkcell', 'Vodafone TR'], ['78.183', '85.107', '88.245', '176.40'], '2001:a98'],
  ['MX', 5, 'es-MX', 'America/Mexico_City', ['Telcel', 'AT&T MX'], ['187.141', '187.197', '189.225', '201.108'], '2001:1200'],
  ['UA', 5, 'uk-UA', 'Europe/Kyiv', ['Kyivstar', 'lifecell'], ['37.54', '46.201', '109.87', '176.8'], '2a00:6740'],
  ['ID', 4, 'id-ID', 'Asia/Jakarta', ['Telkomsel', 'XL'], ['36.87', '112.215', '120.185', '39.239'], '2400:1880'],
  ['NG', 3.5, 'en-NG', 'Africa/Lagos', ['MTN NG', 'Airtel NG'], ['105.114', '105.118', '105.126', '41.58'], '2001:4270'],
  ['IT', 3.5, 'it-IT', 'Europe/Rome', ['TIM', 'WindTre', 'Iliad'], ['2.32', '79.46', '82.188', '151.9'], '2001:6b8'],
  ['ES', 3, 'es-ES', 'Europe/Madrid', ['Movistar', 'Orange ES'], ['79.155', '83.35', '88.21', '2.136'], '2001:a50'],
  ['PH', 2.5, 'en-PH', 'Asia/Manila', ['Globe', 'Smart'], ['49.148', '112.198', '112.206', '136.158'], '2001:4450'],
  ['VN', 2.5, 'vi-VN', 'Asia/Ho_Chi_Minh', ['Viettel', 'Vinaphone'], ['14.183', '14.242', '27.75', '171.229'], '2400:6540'],
  ['ZA', 2, 'en-ZA', 'Africa/Johannesburg', ['Vodacom', 'MTN SA'], ['105.210', '41.31', '196.21', '197.78'], '2001:4200'],
  ['GB', 2, 'en-GB', 'Europe/London', ['EE', 'O2 UK', 'Three'], ['25.95', '31.114', '92.31', '84.66'], '2001:630'],
  ['US', 2, 'en-US', 'America/New_York', ['T-Mobile', 'Verizon'], ['24.20', '71.60', '73.20', '98.200'], '2001:418'],
  ['FR', 2, 'fr-FR', 'Europe/Paris', ['Orange F', 'SFR', 'Free'], ['2.3', '82.226', '86.237', '90.37'], '2001:660'],
  ['PT', 1.5, 'pt-PT', 'Europe/Lisbon', ['MEO', 'NOS'], ['81.84', '85.241', '89.115', '188.250'], '2001:818'],
  ['RO', 1.5, 'ro-RO', 'Europe/Bucharest', ['Digi.Mobil', 'Orange RO'], ['5.12', '78.97', '82.78', '86.121'], '2001:b30'],
  ['CZ', 1.5, 'cs-CZ', 'Europe/Prague', ['T-Mobile CZ', 'O2.CZ'], ['31.30', '83.208', '86.49', '90.182'], '2001:718'],
  ['CL', 1.2, 'es-CL', 'America/Santiago', ['Entel', 'Movistar CL'], ['181.190', '186.41', '190.44', '190.215'], '2001:1310'],
  ['PE', 1.2, 'es-PE', 'America/Lima', ['Claro PE', 'Entel PE'], ['179.7', '181.176', '190.40', '190.235'], '2001:1388'],
  ['AR', 1.2, 'es-AR', 'America/Buenos_Aires', ['Personal', 'Claro AR'], ['181.5', '190.191', '186.140', '190.175'], '2001:1318'],
  ['AT', 1, 'de-AT', 'Europe/Vienna', ['A1', 'Magenta'], ['77.118', '83.64', '90.146', '176.66'], '2001:858'],
  ['CH', 1, 'de-CH', 'Europe/Zurich', ['Swisscom', 'Sunrise'], ['57.26', '62.167', '86.119', '178.39'], '2001:8a8'],
  ['CA', 1, 'en-CA', 'America/Toronto', ['Rogers', 'Bell'], ['57.134', '76.67', '142.151', '174.112'], '2001:568'],
  ['AU', 1, 'en-AU', 'Australia/Sydney', ['Telstra', 'Optus'], ['1.40', '58.170', '110.141', '122.105'], '2001:210'],
  ['NL', 0.8, 'nl-NL', 'Europe/Amsterdam', ['KPN', 'Odido'], ['2.153', '77.160', '84.35', '145.160'], '2001:610'],
  ['SE', 0.8, 'sv-SE', 'Europe/Stockholm', ['Telia', 'Tele2'], ['2.64', '81.224', '85.224', '95.196'], '2001:6b0'],
  ['KZ', 0.6, 'kk-KZ', 'Asia/Almaty', ['Beeline KZ', 'Kcell'], ['2.72', '2.78', '5.76', '95.58'], '2a00:ab40'],
  ['RU', 0.5, 'ru-RU', 'Europe/Moscow', ['MTS', 'MegaFon'], ['31.173', '62.33', '109.188', '176.210'], '2001:640'],
  ['JP', 0.4, 'ja-JP', 'Asia/Tokyo', ['docomo', 'au'], ['60.107', '116.64', '126.70', '153.221'], '2001:2a0'],
];

export const clientCountries = lines.map(([code, weight, language, timezone, carriers, ipv4, ipv6]): ClientCountry => {
  return { code, weight, language, timezone, carriers, ipv4, ipv6 };
});

/** The country with this code, when the simulator knows it. */
export function clientCountry(code: string): ClientCountry | undefined {
  return clientCountries.find((country) => country.code === code);
}

/** Share of end clients that come by IPv6. */
const ipv6Share = 0.14;

/** An address in the country, as an end client of it might have. */
export function addressIn(country: ClientCountry, random: Random): string {
  if (random.chance(ipv6Share))
    return `${country.ipv6}:${Array.from({ length: 6 }, () => random.integer(1, 65_535).toString(16)).join(':')}`;
  return `${random.pick(country.ipv4)}.${random.integer(0, 255)}.${random.integer(1, 254)}`;
}

/** Blocks of hosting providers in the United States and Germany, where bots run. */
const hosting = ['3.80', '18.205', '34.72', '35.184', '52.90', '54.160', '116.202', '144.76'] as const;

/** An address of a rented machine. */
export function hostingAddress(random: Random): string {
  return `${random.pick(hosting)}.${random.integer(0, 255)}.${random.integer(1, 254)}`;
}

/** An address behind a carrier's network translation (RFC 6598), which no GeoIP data places anywhere. */
export function carrierAddress(random: Random): string {
  return `100.${random.integer(64, 127)}.${random.integer(0, 255)}.${random.integer(1, 254)}`;
}

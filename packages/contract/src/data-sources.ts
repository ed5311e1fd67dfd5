/** A bundled data source with the attribution that its licence requires. */
export type DataSource = {
  /** Content and authors. */
  readonly text: string;
  readonly licence: string;
  readonly licenceUrl: string;
  readonly sources: readonly { readonly name: string; readonly url: string }[];
};

const ipLocationDb = { name: 'ip-location-db', url: 'https://github.com/sapics/ip-location-db' } as const;
const nro = { name: 'NRO', url: 'https://www.nro.net' } as const;

/** Attribution of the ASN registry. Its licence requires it wherever the data is shown. */
export const asnAttribution = {
  text: 'Autonomous systems and their prefixes: RouteViews, DB-IP and NRO, via ip-location-db',
  licence: 'CC BY 4.0',
  licenceUrl: 'https://creativecommons.org/licenses/by/4.0/',
  sources: [{ name: 'RouteViews', url: 'https://www.routeviews.org' }, { name: 'DB-IP', url: 'https://db-ip.com' }, nro, ipLocationDb],
} as const satisfies DataSource;

/** All bundled data sources. */
export const dataSources: readonly DataSource[] = [
  asnAttribution,
  {
    text: 'Countries of addresses: NRO, via ip-location-db',
    licence: 'CC0 1.0',
    licenceUrl: 'https://creativecommons.org/publicdomain/zero/1.0/',
    sources: [nro, ipLocationDb],
  },
  {
    text: 'Common passwords: SecLists by Daniel Miessler and Jason Haddix',
    licence: 'CC BY-SA 3.0',
    licenceUrl: 'https://creativecommons.org/licenses/by-sa/3.0/',
    sources: [{ name: 'SecLists', url: 'https://github.com/danielmiessler/SecLists' }],
  },
];

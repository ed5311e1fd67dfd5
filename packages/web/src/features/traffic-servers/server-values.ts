import type { TrafficServer } from '@switchyard/contract/traffic-servers';
import type { ComparedField } from '../../shared/form/conflict/differences.ts';
import { isSame } from '../../shared/form/conflict/three-states.ts';

/** What the form of a server holds; secrets begin empty and stay as they are unless one is typed (AMB-195). */
export type ServerValues = {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly region: string;
  readonly mainHash: string;
  readonly hash: string;
  readonly ip: string;
};

/** The form of a server, or the empty form of a new one. */
export function valuesOf(server: Pick<TrafficServer, 'name' | 'url' | 'region' | 'ip'> | undefined): ServerValues {
  const { name = '', url = '', region, ip } = server ?? {};
  return { name, url, token: '', region: region ?? '', mainHash: '', hash: '', ip: ip ?? '' };
}

const hidden = (secret: string): string => (secret === '' ? '' : 'A new one');

/** The fields with their labels, in the order of the form (SRV-014). */
export const serverFields: readonly ComparedField<ServerValues>[] = [
  { label: 'Name', of: ({ name }) => name.trim() },
  { label: 'Url', of: ({ url }) => url },
  { label: 'Token', of: ({ token }) => token, text: ({ token }) => hidden(token) },
  { label: 'Region', of: ({ region }) => region },
  { label: 'Main hash', of: ({ mainHash }) => mainHash, text: ({ mainHash }) => hidden(mainHash) },
  { label: 'Hash', of: ({ hash }) => hash, text: ({ hash }) => hidden(hash) },
  { label: 'IP', of: ({ ip }) => ip },
];

/** Labels of the fields that differ; a typed secret always does (SRV-021, SRV-022). */
export function changedFields(loaded: ServerValues, values: ServerValues): string[] {
  return serverFields.filter(({ of }) => !isSame(of(loaded), of(values))).map(({ label }) => label);
}

const keys = ['name', 'url', 'token', 'region', 'mainHash', 'hash', 'ip'] as const satisfies readonly (keyof ServerValues)[];

/** The field that a key of a 422 answer means; undefined when the form has none. */
export function fieldOf(key: string): keyof ServerValues | undefined {
  return keys.find((field) => field === key);
}

/** Whether it has what a server cannot be without (SRV-019, SRV-020). */
export function isComplete({ name, url }: ServerValues): boolean {
  return name.trim() !== '' && url.trim() !== '';
}

/** What is sent; secrets only when they are filled (SRV-023). */
export function toBody({ name, url, token, region, mainHash, hash, ip }: ServerValues) {
  return {
    name: name.trim(),
    url: url.trim(),
    region: region === '' ? null : region,
    ip: ip.trim() === '' ? null : ip.trim(),
    ...(token === '' ? {} : { token }),
    ...(mainHash === '' ? {} : { mainHash }),
    ...(hash === '' ? {} : { hash }),
  };
}

import {
  createServer,
  getServer,
  getServerSecretDates,
  saveServer,
  trafficServer,
  type TrafficServer,
} from '@switchyard/contract/traffic-servers';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { mergeFields, type ComparedField } from '../../shared/form/conflict.ts';
import type { EntityQuery } from '../../shared/form/entity-page.tsx';
import type { SimpleModel } from '../../shared/form/use-draft.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';

/** The form of a server. Secrets are write-only: they start empty, and an empty one is kept. */
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

const maskedSecret = (secret: string): string => (secret === '' ? '' : 'A new one');

const fields: readonly ComparedField<ServerValues>[] = [
  { label: 'Name', value: ({ name }) => name.trim() },
  { label: 'Url', value: ({ url }) => url },
  { label: 'Token', value: ({ token }) => token, text: ({ token }) => maskedSecret(token) },
  { label: 'Region', value: ({ region }) => region },
  { label: 'Main hash', value: ({ mainHash }) => mainHash, text: ({ mainHash }) => maskedSecret(mainHash) },
  { label: 'Hash', value: ({ hash }) => hash, text: ({ hash }) => maskedSecret(hash) },
  { label: 'IP', value: ({ ip }) => ip },
];
const keys = ['name', 'url', 'token', 'region', 'mainHash', 'hash', 'ip'] as const satisfies readonly (keyof ServerValues)[];

/** How a server is edited. */
export const serverModel: SimpleModel<TrafficServer, ServerValues> = {
  noun: 'server',
  schema: trafficServer,
  valuesOf,
  fieldsOf: () => fields,
  merge: mergeFields,
  missingOf: ({ name, url }) => [...(name.trim() === '' ? ['Name'] : []), ...(url.trim() === '' ? ['Url'] : [])],
  fieldOf: (key) => keys.find((field) => field === key),
};

/** The body of a save; secrets only if they are filled. */
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

/** Saves a server over the version that was loaded, or creates it. */
export async function storeServer(values: ServerValues, base: TrafficServer | undefined): Promise<TrafficServer> {
  const { url, ...others } = toBody(values);
  if (base === undefined) return (await call(createServer, { body: { ...others, url } })).data;
  const { data } = await call(saveServer, {
    params: { id: base.id },
    // An unchanged url is not sent: a stored one that breaks today's rules must not block the other fields.
    body: url === base.url ? others : { ...others, url },
    ifMatch: base.version,
    showsFailureItself: (status) => status === 412,
  });
  return data;
}

/** Loads a server; never from the cache, because a form starts with it. */
export function serverQuery(id: number): EntityQuery<TrafficServer> {
  return {
    queryKey: ['server', id],
    queryFn: async ({ signal }) => (await call(getServer, { params: { id }, signal })).data,
    gcTime: 0,
    staleTime: Infinity,
  };
}

/** Replaces the cached server. */
export function cacheServer(server: TrafficServer): void {
  queryClient.setQueryData<TrafficServer>(serverQuery(server.id).queryKey, server);
}

/** Reloads the list of servers when it is next shown. */
export async function refreshServers(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('servers') });
}

/** When the secrets of a server were set; undefined while unknown. */
export function useSecretDates(id: number | undefined) {
  const { data } = useQuery({
    queryKey: ['server-secrets', id ?? 0],
    queryFn: ({ signal }) => call(getServerSecretDates, { params: { id: id ?? 0 }, signal, ...inBackground }),
    enabled: id !== undefined,
    gcTime: 0,
  });
  return data?.data;
}

/** Why an account that sees only some apps cannot create or remove servers, or change their address and secrets. */
export const allAppsOnly = 'Servers work for all apps, so only accounts with access to all apps can change this.';

/** Whether the account sees all apps and may change everything about servers; the server rejects all others. */
export function useServesAllApps(): boolean {
  return useSessionUser()?.hasAllApps !== false;
}

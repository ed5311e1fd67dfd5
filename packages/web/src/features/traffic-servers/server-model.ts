import {
  createServer,
  getServer,
  getServerSecretDates,
  saveServer,
  serverFields,
  trafficServer,
  type TrafficServer,
} from '@switchyard/contract/traffic-servers';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { defineForm, maskedSecret } from '../../shared/entities/entity-form.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { paths } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';

/** The form of a server. Secrets are write-only: they start empty, and an empty one is kept. */
export type ServerValues = { [Field in keyof typeof serverFields]: string };

const start: ServerValues = { name: '', url: '', token: '', region: '', mainHash: '', hash: '', ip: '' };

/** The values of the form for a stored server. */
export function valuesOf({ name, url, region, ip }: Pick<TrafficServer, 'name' | 'url' | 'region' | 'ip'>): ServerValues {
  return { ...start, name, url, region: region ?? '', ip: ip ?? '' };
}

/** How a server is edited. */
export const serverForm = defineForm<TrafficServer, ServerValues>({
  noun: 'server',
  list: { listTitle: 'Servers', listPath: paths.servers() },
  schema: trafficServer,
  fields: serverFields,
  start,
  valuesOf,
  required: ['name', 'url'],
  compared: () => ({
    token: { text: ({ token }) => maskedSecret(token) },
    mainHash: { text: ({ mainHash }) => maskedSecret(mainHash) },
    hash: { text: ({ hash }) => maskedSecret(hash) },
  }),
  calls: {
    read: (input) => call(getServer, input),
    create: ({ body }) => call(createServer, { body: toBody(body) }),
    update: ({ body: values, ...input }, stored) => {
      const { url, ...others } = toBody(values);
      // An unchanged url is not sent: a stored one that breaks today's rules must not block the other fields.
      return call(saveServer, { ...input, body: url === stored.url ? others : { ...others, url } });
    },
  },
  refresh: refreshServers,
});

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
export const allAppsOnly = 'Servers serve all apps, so only accounts with access to all apps can change this.';

/** Whether the account sees all apps and may change everything about servers; the server rejects all others. */
export function useServesAllApps(): boolean {
  return useSessionUser()?.hasAllApps !== false;
}

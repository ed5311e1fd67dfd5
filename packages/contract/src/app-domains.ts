import { z } from 'zod';
import { checkDomain, type CheckDomain } from './apps.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams } from './listing.ts';
import { bodyBoolean, integer, requiredText } from './text-fields.ts';

/** Messages of rejected linking and unlinking. */
export const linkMessages = {
  unknownDomain: 'Unknown domain.',
  unknownServer: 'Unknown server.',
  running: 'The operation is already running',
  archived: 'You need to restore the app first to make changes',
} as const;

/** Shown for ten seconds after a server was linked, restarted or unlinked. */
export const linkNotice = 'This operation is not instant. Please reload the page in 1-2 minutes.';

/** Labels of the Servers section. Removing has no confirmation. */
export const linkTexts = {
  section: 'Servers',
  linked: 'Linked servers',
  unlinked: 'Servers not linked',
  noLinked: 'This app is not linked to a server yet',
  noUnlinked: 'All servers are linked',
  create: 'Create',
  restart: 'Restart',
  remove: 'Remove',
  onlyCloudflare: 'Cloudflare only',
  /** Why Restart is disabled. */
  stillRunning: 'The operation is still running',
  /** Label of links that no traffic server knows. */
  simulated: 'Simulated',
  simulatedHint: 'Linking is simulated: no traffic server was contacted',
} as const;

/** Description of each link status. */
export const linkStatusTexts = {
  add: 'Adding the domain to the server',
  bind: 'Binding the domain to the server',
  ssl: 'Requesting the certificate',
  ok: 'Linked',
  err_add: 'The domain could not be added',
  err_bind: 'The domain could not be bound',
  err_ssl: 'The certificate could not be issued',
} as const satisfies Record<CheckDomain['status'], string>;

/** Statuses from which a link can be restarted. In all others its operation is still running. */
export const restartableStatuses = ['ok', 'err_add', 'err_bind', 'err_ssl'] as const;

/** Whether a link can be restarted. */
export function isRestartable({ status }: Pick<CheckDomain, 'status'>): boolean {
  return restartableStatuses.some((restartable) => restartable === status);
}

/** Registrar of simulated links. It distinguishes them from real ones. */
export const simulatedRegistrar = 'Simulated';

/** Whether the link was only simulated. */
export function isSimulated({ registrar }: Pick<CheckDomain, 'registrar'>): boolean {
  return registrar === simulatedRegistrar;
}

const linkAccess = anyPermission('manager_app_create', 'manager_app_edit');

export const addAppDomain = defineEndpoint({
  number: 19,
  method: 'POST',
  path: 'app/add-domain',
  summary: "Link an app's saved domain to a traffic server, or restart the link",
  access: linkAccess,
  recentSignIn: null,
  validatesValues: true,
  body: z.strictObject({ domain: requiredText(255), serverId: integer(), isOnlyCF: bodyBoolean.default(false) }),
  answer: { kind: 'data', status: 200, schema: checkDomain },
  rejections: [409],
});

export const removeAppDomain = defineEndpoint({
  number: 20,
  method: 'DELETE',
  path: 'app/add-domain/{id}',
  summary: 'Unlink a traffic server from an app',
  access: linkAccess,
  recentSignIn: null,
  params: idParams,
  answer: { kind: 'empty' },
  rejections: [409],
});

/** A domain that is no host name, or that of another app (`same_as`) in another form. It was stored before domains had to be host names. */
const invalidDomain = z.object({
  id: z.int(),
  name: z.string(),
  domain: z.string(),
  is_archived: z.boolean(),
  /** Null values: an app that the caller does not see. */
  same_as: z.object({ id: z.int().nullable(), name: z.string().nullable() }).nullable(),
});
export type InvalidDomain = z.output<typeof invalidDomain>;

export const listInvalidDomains = defineEndpoint({
  number: 370,
  method: 'GET',
  path: 'apps/domains/invalid',
  summary: 'Apps whose stored domain is no host name, or that of another app in another form',
  access: anyPermission('manager_app_edit_domain_bundle'),
  answer: { kind: 'data', status: 200, schema: z.array(invalidDomain) },
});

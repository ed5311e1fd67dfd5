import { z } from 'zod';
import { checkDomain, type CheckDomain } from './apps.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams } from './listing.ts';
import { bodyBoolean, integer, requiredText } from './text-fields.ts';

/** Refusals of linking and unlinking, by key or as message (api [19], [20]). */
export const linkMessages = {
  unknownDomain: 'Unknown domain.',
  unknownServer: 'Unknown server.',
  running: 'The operation is already running',
  archived: 'You need to restore the app first to make changes',
} as const;

/** Shown for `spans.serverNotice` after a server was linked, restarted or unlinked (DOM-009 to DOM-011, AMB-118). */
export const linkNotice = 'This operation is not instant. Please reload the page in 1-2 minutes.';

/** Words of the Servers section (DOM-001 to DOM-008); removing asks nothing (AMB-119). */
export const linkTexts = {
  section: 'Servers',
  linked: 'Linked servers',
  unlinked: 'Servers not linked',
  noLinked: 'This app is linked to no server yet',
  noUnlinked: 'Every server is linked',
  create: 'Create',
  restart: 'Restart',
  remove: 'Remove',
  onlyCloudflare: 'Cloudflare only',
  /** Why Restart is disabled (DOM-004). */
  stillRunning: 'The operation is still running',
  /** Beside links that no real server knows of (O23). */
  simulated: 'Simulated',
  simulatedHint: 'This console only simulates linking: no server was contacted',
} as const;

/** What a link's status means, in words. */
export const linkStatusTexts = {
  add: 'Adding the domain to the server',
  bind: 'Binding the domain to the server',
  ssl: 'Requesting the certificate',
  ok: 'Linked',
  err_add: 'The domain could not be added',
  err_bind: 'The domain could not be bound',
  err_ssl: 'The certificate could not be issued',
} as const satisfies Record<CheckDomain['status'], string>;

/** States from which a link may be restarted; in the others its operation is still running (DOM-003, AMB-117). */
export const restartableStatuses = ['ok', 'err_add', 'err_bind', 'err_ssl'] as const;

/** Whether a link may be restarted now (DOM-003, DOM-004). */
export function isRestartable({ status }: Pick<CheckDomain, 'status'>): boolean {
  return restartableStatuses.some((restartable) => restartable === status);
}

/** The registrar that the simulation names, so that a reader can tell its links from real ones (O23). */
export const simulatedRegistrar = 'Simulated';

/** Whether no traffic server was ever contacted for this link. */
export function isSimulated({ registrar }: Pick<CheckDomain, 'registrar'>): boolean {
  return registrar === simulatedRegistrar;
}

const mayLink = anyPermission('manager_app_create', 'manager_app_edit');

export const addAppDomain = defineEndpoint({
  number: 19,
  method: 'POST',
  path: 'app/add-domain',
  summary: "Link an app's saved domain to a traffic server, or restart the link",
  access: mayLink,
  judgesValues: true,
  body: z.strictObject({ domain: requiredText(255), serverId: integer(), isOnlyCF: bodyBoolean.default(false) }),
  answer: { kind: 'data', status: 200, schema: checkDomain },
  refusals: [409],
});

export const removeAppDomain = defineEndpoint({
  number: 20,
  method: 'DELETE',
  path: 'app/add-domain/{id}',
  summary: 'Unlink a traffic server from an app',
  access: mayLink,
  params: idParams,
  answer: { kind: 'empty' },
  refusals: [404, 409],
});

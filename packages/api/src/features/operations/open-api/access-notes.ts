import type { Access } from '@switchyard/contract/endpoint';
import type { Json } from './json-shape.ts';

/** The two worlds of bearer tokens (api 0.1). */
export const securitySchemes = {
  session: { type: 'http', scheme: 'bearer', description: 'Token of a signed-in account, from `sanctum/login`' },
  trafficServer: { type: 'http', scheme: 'bearer', description: 'Token of a traffic server' },
} as const;

/** Who may call, in words. */
export function accessNote(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Public.';
    case 'session':
      return 'Needs a signed-in account.';
    case 'traffic-server':
      return 'Needs the token of a traffic server.';
    default:
      return `Needs ${access.anyOf.length > 1 ? 'any of ' : ''}${access.anyOf.map((permission) => `\`${permission}\``).join(', ')}.`;
  }
}

/** Who may call, for programs; `x-permissions` lists permissions of which one is enough. */
export function accessOf(access: Access): Json {
  if (access.kind === 'public') return { security: [] };
  if (access.kind === 'traffic-server') return { security: [{ trafficServer: [] }] };
  return { security: [{ session: [] }], ...(access.kind === 'permissions' ? { 'x-permissions': access.anyOf } : {}) };
}

import { z } from 'zod';
import { defineEndpoint, sessionAccess } from './endpoint.ts';

/** Offset of displayed date-times until the server has sent its own. */
export const defaultOffset = '+00:00';

/** Server time: `YYYY-MM-DD HH:mm` in the server's offset, zone name and offset `+HH:MM`. */
export const serverTime = z.object({ time: z.string(), timezone: z.string(), GMT: z.string() });
export type ServerTime = z.output<typeof serverTime>;

export const getServerTime = defineEndpoint({
  number: 9,
  method: 'GET',
  path: 'time',
  summary: 'Server time and its offset',
  access: sessionAccess,
  answer: { kind: 'data', status: 200, schema: serverTime },
});

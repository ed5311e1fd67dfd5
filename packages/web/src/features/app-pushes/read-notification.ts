import { z } from 'zod';

/** What of a push's message its preview shows (PUSH-008). */
export type Notification = {
  title: string | null;
  body: string | null;
  /** Address of a picture that may be loaded; null for none, and for any that is not https (S23). */
  image: string | null;
};

const text = z.string().nullish().catch(null);
const message = z.object({ notification: z.object({ title: text, body: text, image: text }) });

/** Reads `notification` out of the JSON of a message; any other text stands as body (AMB-152). */
export function readNotification(raw: string): Notification {
  const read = message.safeParse(parse(raw));
  if (!read.success) return { title: null, body: raw, image: null };
  const { title, body, image } = read.data.notification;
  return { title: title ?? null, body: body ?? null, image: safeAddress(image ?? '') };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** Nothing but https is loaded, and no address that would sign in anywhere (S23). */
function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}

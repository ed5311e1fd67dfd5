import { z } from 'zod';

/** The parts of a push's message that its preview shows. */
export type Notification = {
  title: string | null;
  body: string | null;
  /** Address of a picture that may be loaded; null for none, and for any that is not https. */
  image: string | null;
};

const text = z.string().nullish().catch(null);
const message = z.object({ notification: z.object({ title: text, body: text, image: text }) });

/** Reads `notification` from the JSON of a message; any other text becomes the body. */
export function readNotification(raw: string): Notification {
  const parsedMessage = message.safeParse(parse(raw));
  if (!parsedMessage.success) return { title: null, body: raw, image: null };
  const { title, body, image } = parsedMessage.data.notification;
  return { title: title ?? null, body: body ?? null, image: safeAddress(image ?? '') };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** Only https addresses without credentials are loaded. */
function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  return protocol === 'https:' && username === '' && password === '' ? href : null;
}

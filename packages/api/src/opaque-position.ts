import type { z } from 'zod';

/** The opaque text of a position, as cursors and ids of events carry it. */
export function toOpaqueText(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position of an opaque text; null if it is none. */
export function fromOpaqueText<S extends z.ZodType>(schema: S, text: string | undefined): z.output<S> | null {
  if (text === undefined) return null;
  try {
    return schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}

import { z } from 'zod';

const object = z.record(z.string(), z.unknown());

/** The JSON object that a text is, or null. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value as an object, or null when it is none. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return object.safeParse(value).data ?? null;
}

import type { FullApp } from '@switchyard/contract/app-form';
import { valuesOf, type AppValues, type BodyKey } from '../configurator/app-model.ts';

/** Parts of an app that a duplicate may take over. What names an app, its secrets and its push file are never among them. */
export const copyableParts = [
  'vertical',
  'whiteUserAgent',
  'conversion_api_type',
  'keys',
  'userIds',
  'app_mode',
  'response_mode',
  'proxy_api_url',
  'proxy_cache_seconds',
  'static_response_path',
  'response_message',
  'cloak_mode',
  'adspect_cloak',
] as const satisfies readonly (BodyKey & keyof AppValues)[];
export type CopyablePart = (typeof copyableParts)[number];

/** The form of a new app with parts of another one. */
export function copyApp(app: FullApp, parts: readonly CopyablePart[]): AppValues {
  const { keys, ...others } = valuesOf(app);
  const source = { ...others, keys: { ...keys, apiSecret: '' } };
  return { ...valuesOf(undefined), ...Object.fromEntries(parts.map((part) => [part, source[part]])) };
}

/** The parts that an address names. */
export function readParts(text: string | null): readonly CopyablePart[] {
  const names = new Set(text?.split(','));
  return copyableParts.filter((part) => names.has(part));
}

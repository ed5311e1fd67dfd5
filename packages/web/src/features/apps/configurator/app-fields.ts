import { keyLabels } from '@switchyard/contract/app-form-texts';
import { responseEntries } from '@switchyard/contract/app-rules';
import type { BodyKey } from './app-form-values.ts';

/** What the parts of the body are called where the form speaks of them. */
export const partLabels: Record<BodyKey, string> = {
  name: 'Name',
  bundle: 'Bundle',
  domain: 'Domain',
  whiteUserAgent: 'White user agent',
  vertical: 'Vertical',
  conversion_api_type: 'Conversion type',
  keys: 'Keys',
  privateKeys: keyLabels.apiSecret,
  userIds: 'App users',
  app_mode: 'App mode',
  response_mode: 'Response mode',
  proxy_api_url: 'Proxy API URL',
  proxy_cache_seconds: 'Proxy cache',
  static_response_path: 'Static response path',
  response_message: 'Responses',
  cloak_mode: 'Cloak mode',
  adspect_cloak: 'Cloak ID',
};

/** The texts that are judged 500 ms after typing stops (CONF-045). */
const texts = [
  'name',
  'bundle',
  'domain',
  'whiteUserAgent',
  'keys.createApfDevKey',
  'keys.firebaseAppId',
  'keys.apiSecret',
  'proxy_api_url',
  'static_response_path',
  'response_message.static.response',
  'response_message.create.response',
  'response_message.receive.response',
  'adspect_cloak',
] as const;
export type TextPath = (typeof texts)[number];
export const textPaths: readonly TextPath[] = texts;

/** Every field that can show a message. */
const fieldPaths: readonly string[] = [
  ...texts,
  'vertical',
  'conversion_api_type',
  'userIds',
  'app_mode',
  'response_mode',
  'proxy_cache_seconds',
  'cloak_mode',
  ...responseEntries.flatMap((entry) => [`response_message.${entry}.type`, `response_message.${entry}.code`]),
];

/** The key under which the rules and the server speak of a text of the form (api [12]). */
export function ruleKeyOf(path: string): string {
  return path.replace(/^keys\./, '').replace(/^(response_message\.\w+)\.response$/, '$1');
}

/** The field that a key of a 422 answer means, whichever way it names it; undefined when the form has none (ERR-020). */
export function fieldOf(key: string): string | undefined {
  const bare = key.replace(/^(keys|privateKeys)\./, '');
  return fieldPaths.find((path) => path === key || path === `keys.${bare}` || ruleKeyOf(path) === key);
}

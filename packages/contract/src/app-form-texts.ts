import type { cloakModes } from './apps.ts';

/** Confirmation before an app is created or saved. `affectsClients` is shown only if clients would notice the change. */
export const saveAppConfirm = {
  title: 'Are you sure?',
  text: 'Please check all data TWICE!',
  affectsClients: 'Attention: This action will affect existing users!',
} as const;

/** Tooltip of the icon that unlocks bundle and domain. */
export const unlockTooltip = 'Only SUPER ADMIN';

/** Maximum length of the white user agent. */
export const whiteUserAgentCharacters = 1_000;

/** Labels of the conversion keys. */
export const keyLabels = { createApfDevKey: 'APF SDK key', firebaseAppId: 'Firebase APP ID', apiSecret: 'API Secret' } as const;

/** Labels of an app's fields, in the order of the form. */
export const appLabels = {
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
} as const;

/** Keys of each conversion type in form order. */
export const keysOfType = { mmp_appsflyer: ['createApfDevKey'], google_analytics: ['firebaseAppId', 'apiSecret'] } as const;

/** Minimum length from which the form checks whether a name, bundle or domain is available. */
export const uniquenessCheckLength = 3;

/** Label of the cloak id by mode; null if the mode has no id. */
export const cloakIdLabels: Record<(typeof cloakModes)[number], string | null> = {
  default: null,
  none: null,
  custom: 'Adspect Cloak ID',
  magic_checker: 'MagicChecker Cloak ID',
};

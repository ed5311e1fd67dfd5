import type { cloakModes } from './apps.ts';

/** Asked before an app is created or saved (CONF-003, CONF-018); the third line only where clients would notice (CONF-020 to CONF-022). */
export const saveAppConfirm = {
  title: 'Are you sure?',
  text: 'Please check all data TWICE!',
  affectsClients: 'Attention: This action will affect existing users!',
} as const;

/** Tooltip of the icon that unlocks bundle and domain (CONF-039). */
export const unlockTooltip = 'Only SUPER ADMIN';

/** Names of the fields that hold conversion keys (CONF-041 to CONF-043). */
export const keyLabels = { createApfDevKey: 'APF SDK key', firebaseAppId: 'Firebase APP ID', apiSecret: 'API Secret' } as const;

/** Keys of each conversion type, in the order of the form (CONF-041 to CONF-044). */
export const keysOfType = { mmp_appsflyer: ['createApfDevKey'], google_analytics: ['firebaseAppId', 'apiSecret'] } as const;

/** From so many characters on the server is asked whether a name, bundle or domain is free (CONF-056, CONST-011). */
export const uniquenessFrom = 3;

/** The name of the cloak id where a mode needs one; null where the id is not shown (AMB-100). */
export const cloakIdLabels: Record<(typeof cloakModes)[number], string | null> = {
  default: null,
  none: null,
  custom: 'Adspect Cloak ID',
  magic_checker: 'MagicChecker Cloak ID',
};

import { isPublicHost } from './public-host.ts';

/** Content types, codes and cache times of a response, and the kinds of conversion keys (RESP-003, RESP-005, RESP-006, CONF-040). */
export const responseTypes = ['json', 'html', 'text', 'random'] as const;
export const responseCodes = [200, 201, 204, 301, 302, 307, 400, 401, 403, 404, 409, 422, 500, 502, 503, 504] as const;
export const proxyCacheSeconds = [300, 600, 900, 3_600, 86_400, 604_800, 2_592_000] as const;
export const conversionTypes = ['mmp_appsflyer', 'google_analytics'] as const;
export const responseEntries = ['static', 'create', 'receive'] as const;

/** Fields of an app that must differ between all apps, archived ones included (CONF-056, AMB-091). */
export const uniqueAppFields = ['name', 'bundle', 'domain'] as const;
export type UniqueAppField = (typeof uniqueAppFields)[number];

/** Texts of the rules; the misspelling is the specification's (AMB-057). */
export const appMessages = {
  outerSpaces: (field: string, value: string) => `Check the ${field} "${value}" for spaces start or and.`,
  spaces: (field: string, value: string) => `Check the ${field} "${value}" for spaces.`,
  scheme: 'The domain must not contain http or https.',
  taken: (field: UniqueAppField, value: string) => `The "${field}" ${value} was previously used.`,
  url: (field: string) => `The "${field}" field is not a valid URL.`,
  adspect: 'ID Adspect Cloak not valid!',
  magicChecker: 'ID MagicChecker Cloak not valid!',
  archived: 'You need to restore the app first to make changes',
  onlySuperAdmin: 'Only SUPER ADMIN can change this field',
} as const;

/** Parts of each entry of the response message (RESP-009). */
export const responseParts = ['type', 'code', 'response'] as const;

export type ResponsePart = { type: (typeof responseTypes)[number]; code: (typeof responseCodes)[number]; response: string };
export type ResponseMessage = Record<(typeof responseEntries)[number], ResponsePart>;

const defaultResponse: ResponsePart = { type: 'json', code: 200, response: '' };

/** What a new app has unless it says otherwise (api [12], AMB-101). */
export const newAppDefaults = {
  conversion_api_type: 'mmp_appsflyer',
  app_mode: 'default',
  response_mode: 'white',
  response_message: { static: defaultResponse, create: defaultResponse, receive: defaultResponse },
  static_response_path: '/',
  proxy_cache_seconds: 300,
  cloak_mode: 'default',
} as const;

/** What the rules judge; a field that is absent is not judged. Texts are as they will be stored. */
type JudgedApp = {
  name?: string | undefined;
  bundle?: string | undefined;
  domain?: string | undefined;
  whiteUserAgent?: string | null | undefined;
  createApfDevKey?: string | null | undefined;
  firebaseAppId?: string | null | undefined;
  apiSecret?: string | null | undefined;
  proxy_api_url?: string | null | undefined;
  response_message?: ResponseMessage | undefined;
  /** Judged only together with `adspect_cloak`. */
  cloak_mode?: string | undefined;
  adspect_cloak?: string | null | undefined;
};

/**
 * The first message of every field that breaks a rule, by field as in a 422 answer (api [12], CONF-046 to CONF-055,
 * RESP-010 to RESP-021). The form and the server ask this same function, so both say the same (AMB-097). Whether a
 * name, bundle or domain is free, only the server knows.
 */
export function appRuleErrors(app: JudgedApp): Record<string, string> {
  const found: [string, string | null][] = [
    ['name', outerSpacesError('name', app.name)],
    ['bundle', anySpacesError('bundle', app.bundle)],
    ['domain', anySpacesError('domain', app.domain) ?? schemeError(app.domain)],
    ['whiteUserAgent', outerSpacesError('whiteUserAgent', app.whiteUserAgent)],
    ['createApfDevKey', outerSpacesError('createApfDevKey', app.createApfDevKey)],
    ['firebaseAppId', outerSpacesError('firebaseAppId', app.firebaseAppId)],
    ['apiSecret', outerSpacesError('apiSecret', app.apiSecret)],
    ['proxy_api_url', proxyError(app.proxy_api_url)],
    ['adspect_cloak', app.adspect_cloak === undefined ? null : cloakIdError(app.cloak_mode, app.adspect_cloak)],
    ...responseEntries.map((entry): [string, string | null] => [
      `response_message.${entry}`,
      responseError(entry, app.response_message?.[entry]),
    ]),
  ];
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== null));
}

type Text = string | null | undefined;

function outerSpacesError(field: string, value: Text): string | null {
  return typeof value === 'string' && value !== value.trim() ? appMessages.outerSpaces(field, value) : null;
}

function anySpacesError(field: string, value: Text): string | null {
  return typeof value === 'string' && /\s/.test(value) ? appMessages.spaces(field, value) : null;
}

/** Also `httpbin.org` begins with http (AMB-094). */
function schemeError(value: Text): string | null {
  return typeof value === 'string' && /^http/i.test(value) ? appMessages.scheme : null;
}

function responseError(entry: string, part: Pick<ResponsePart, 'code' | 'response'> | undefined): string | null {
  if (!part || part.code <= 300 || part.code >= 400) return null;
  const isUrl = /^https?:\/\/\S+$/i.test(part.response) && URL.canParse(part.response);
  return isUrl ? null : appMessages.url(entry);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex32 = /^[0-9a-f]{32}$/i;

/** An empty id is none, so it breaks the modes that need one (AMB-103). */
function cloakIdError(mode: Text, id: Text): string | null {
  if (mode === 'custom') return uuid.test(id ?? '') ? null : appMessages.adspect;
  if (mode === 'magic_checker') return hex32.test(id ?? '') ? null : appMessages.magicChecker;
  return null;
}

/** The proxy address as it is stored: `https://` before an address without a scheme; a bare scheme is none (RESP-020, RESP-021). */
export function proxyAddress(typed: string): string | null {
  if (typed === '' || /^https?:\/\/$/i.test(typed)) return null;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
}

/** Servers call this address, so it must not lead into their own networks (S19). */
function proxyError(address: Text): string | null {
  if (address === null || address === undefined) return null;
  const message = appMessages.url('proxy_api_url');
  // A browser reads a backslash as a slash and drops control characters, so what is seen would not be what is called.
  // It also skips further slashes, and takes the `http` of `https://http:/name` for a host with an empty port.
  if (!/^https?:\/\/(?!https?:|[/?#])[^\s\\\p{Cc}]+$/iu.test(address) || !URL.canParse(address)) return message;
  const { username, password, hostname, host } = new URL(address);
  const hasUserInfo = username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(address);
  return hasUserInfo || host === '' || !isPublicHost(hostname) ? message : null;
}

/** The static path as it is stored: it begins with a slash; empty means the root (RESP-022, RESP-023). */
export function staticPath(typed: string): string {
  return typed.startsWith('/') ? typed : `/${typed}`;
}

import { hostNameOf } from './host-name.ts';
import { isPublicHost } from './public-host.ts';
import { invalidCharacters, isOneLine } from './text-fields.ts';

/** Content types, codes and cache times of a response, and the types of conversion keys. */
export const responseTypes = ['json', 'html', 'text', 'random'] as const;
export const responseCodes = [200, 201, 204, 301, 302, 307, 400, 401, 403, 404, 409, 422, 500, 502, 503, 504] as const;
export const proxyCacheSeconds = [300, 600, 900, 3_600, 86_400, 604_800, 2_592_000] as const;
export const conversionTypes = ['mmp_appsflyer', 'google_analytics'] as const;
export const responseEntries = ['static', 'create', 'receive'] as const;

/** Fields of an app that must be unique among all apps, archived ones included. */
export const uniqueAppFields = ['name', 'bundle', 'domain'] as const;
export type UniqueAppField = (typeof uniqueAppFields)[number];

/** Messages of the rules. The misspelling is specified. */
export const appMessages = {
  outerSpaces: (field: string, value: string) => `Check the ${field} "${value}" for spaces start or and.`,
  spaces: (field: string, value: string) => `Check the ${field} "${value}" for spaces.`,
  scheme: 'The domain must not contain http or https.',
  domain: 'The domain must be a host name, for example app.example.com.',
  taken: (field: UniqueAppField, value: string) => `The "${field}" ${value} was previously used.`,
  url: (field: string) => `The "${field}" field is not a valid URL.`,
  adspect: 'ID Adspect Cloak not valid!',
  magicChecker: 'ID MagicChecker Cloak not valid!',
  archived: 'You need to restore the app first to make changes',
  onlySuperAdmin: 'Only SUPER ADMIN can change this field',
} as const;

/** Parts of each entry of the response message. */
export const responseParts = ['type', 'code', 'response'] as const;

export type ResponsePart = { type: (typeof responseTypes)[number]; code: (typeof responseCodes)[number]; response: string };
export type ResponseMessage = Record<(typeof responseEntries)[number], ResponsePart>;

const defaultResponse: ResponsePart = { type: 'json', code: 200, response: '' };

/** Defaults of a new app. */
export const newAppDefaults = {
  conversion_api_type: 'mmp_appsflyer',
  app_mode: 'default',
  response_mode: 'white',
  response_message: { static: defaultResponse, create: defaultResponse, receive: defaultResponse },
  static_response_path: '/',
  proxy_cache_seconds: 300,
  cloak_mode: 'default',
} as const;

/** Input of the rules. Absent fields are not validated. Texts are as they will be stored. */
type AppRuleInput = {
  name?: string | undefined;
  bundle?: string | undefined;
  domain?: string | undefined;
  whiteUserAgent?: string | null | undefined;
  createApfDevKey?: string | null | undefined;
  firebaseAppId?: string | null | undefined;
  apiSecret?: string | null | undefined;
  proxy_api_url?: string | null | undefined;
  response_message?: ResponseMessage | undefined;
  /** Validated only together with `adspect_cloak`. */
  cloak_mode?: string | undefined;
  adspect_cloak?: string | null | undefined;
};

/**
 * Returns the first message of every invalid field, by field as in a 422 response. The form and the server share this function, so
 * their messages are equal. Only the server knows whether a name, bundle or domain is available.
 */
export function appRuleErrors(app: AppRuleInput): Record<string, string> {
  const fieldErrors: [string, string | null][] = [
    ['name', outerSpacesError('name', app.name) ?? oneLineError('name', app.name)],
    ['bundle', anySpacesError('bundle', app.bundle) ?? oneLineError('bundle', app.bundle)],
    ['domain', anySpacesError('domain', app.domain) ?? schemeError(app.domain) ?? hostError(app.domain)],
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
  return Object.fromEntries(fieldErrors.filter((pair): pair is [string, string] => pair[1] !== null));
}

type Text = string | null | undefined;

function outerSpacesError(field: string, value: Text): string | null {
  return typeof value === 'string' && value !== value.trim() ? appMessages.outerSpaces(field, value) : null;
}

function anySpacesError(field: string, value: Text): string | null {
  return typeof value === 'string' && /\s/.test(value) ? appMessages.spaces(field, value) : null;
}

function oneLineError(field: string, value: Text): string | null {
  return typeof value === 'string' && !isOneLine(value) ? invalidCharacters(field) : null;
}

/** This also rejects `httpbin.org`, as specified. */
function schemeError(value: Text): string | null {
  return typeof value === 'string' && /^http/i.test(value) ? appMessages.scheme : null;
}

/** An empty domain is missing, which is reported otherwise. */
function hostError(value: Text): string | null {
  return typeof value === 'string' && value !== '' && hostNameOf(value) === null ? appMessages.domain : null;
}

/** Whether a code sends the client to another address. */
export function isRedirect(code: number | undefined): boolean {
  return code !== undefined && code > 300 && code < 400;
}

function responseError(entry: string, part: Pick<ResponsePart, 'code' | 'response'> | undefined): string | null {
  if (!part || !isRedirect(part.code)) return null;
  // The parser skips slashes before a host, and drops control characters.
  const isUrl = /^https?:\/\/[^\s\p{Cc}/?#][^\s\p{Cc}]*$/iu.test(part.response) && URL.canParse(part.response);
  return isUrl ? null : appMessages.url(entry);
}

/**
 * Address of a redirect in ASCII, as browsers need it: a host by IDNA, the rest by percent signs. ASCII stays to the letter, so that
 * placeholders such as `{click_id}` and escapes are kept.
 */
export function redirectAddress(text: string): string {
  // A backslash ends the host as a slash does; whoever signs in stands before the last @ of it.
  const [, scheme = '', user = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#\\]*@)?([^/?#\\]*)(.*)$/is.exec(text) ?? [];
  if (scheme === '') return text;
  const asciiHost = host.replaceAll(/[^.:]*[^\p{ASCII}][^.:]*/gu, asciiLabel);
  return scheme + escaped(user) + asciiHost + escaped(rest);
}

/** A label of a host by IDNA. Beside a name, so that digits of other scripts are no address by themselves. */
function asciiLabel(label: string): string {
  const address = `http://${label}.name`;
  return URL.canParse(address) ? new URL(address).hostname.slice(0, -'.name'.length) : label;
}

function escaped(text: string): string {
  return text.toWellFormed().replaceAll(/[^\p{ASCII}]+/gu, encodeURIComponent);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex32 = /^[0-9a-f]{32}$/i;

/** An empty id is invalid in modes that need one. */
function cloakIdError(mode: Text, id: Text): string | null {
  if (mode === 'custom') return uuid.test(id ?? '') ? null : appMessages.adspect;
  if (mode === 'magic_checker') return hex32.test(id ?? '') ? null : appMessages.magicChecker;
  return null;
}

/** Normalises a proxy address: adds `https://` if the scheme is missing. Empty and a bare scheme become null. */
export function proxyAddress(text: string): string | null {
  if (text === '' || /^https?:\/\/$/i.test(text)) return null;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
}

/** Traffic servers call this address, so it must not point into their own networks. */
function proxyError(address: Text): string | null {
  if (address === null || address === undefined) return null;
  const message = appMessages.url('proxy_api_url');
  // URL parsers read a backslash as a slash and drop control characters, so the visible address would differ from the called one.
  // They also skip extra slashes, and parse the `http` of `https://http:/name` as a host with an empty port.
  if (!/^https?:\/\/(?!https?:|[/?#])[^\s\\\p{Cc}]+$/iu.test(address) || !URL.canParse(address)) return message;
  const { username, password, hostname, host } = new URL(address);
  const hasUserInfo = username !== '' || password !== '' || /^https?:\/\/[^/?#]*@/i.test(address);
  return hasUserInfo || host === '' || !isPublicHost(hostname) ? message : null;
}

/** Normalises a static path: adds a leading slash. An empty path becomes `/`. */
export function staticPath(text: string): string {
  return text.startsWith('/') ? text : `/${text}`;
}

import type { SaveAppBody } from '@switchyard/contract/app-form';
import {
  isRedirect,
  newAppDefaults,
  redirectAddress,
  responseEntries,
  responseParts,
  type ResponseMessage,
} from '@switchyard/contract/app-rules';
import type { FullApp } from '@switchyard/contract/app-form';
import { storedDomain } from '@switchyard/contract/host-name';

/** The fields of an app that its form sets, by their names in the form; the keys are flattened. */
export type AppSettings = Pick<
  FullApp,
  | 'name'
  | 'bundle'
  | 'domain'
  | 'vertical'
  | 'conversion_api_type'
  | 'app_mode'
  | 'response_mode'
  | 'proxy_api_url'
  | 'static_response_path'
  | 'proxy_cache_seconds'
  | 'cloak_mode'
  | 'adspect_cloak'
> &
  FullApp['keys'] & {
    whiteUserAgent: string | null;
    response_message: ResponseMessage;
    /** Ascending, each once. */
    userIds: number[];
  };

/** Fields of a form that were sent. */
export type SentFields = Readonly<Partial<SaveAppBody>>;

/** The settings of a new app before its form is applied. */
export const newSettings: AppSettings = {
  ...newAppDefaults,
  name: '',
  bundle: '',
  domain: '',
  vertical: '',
  whiteUserAgent: null,
  createApfDevKey: null,
  firebaseAppId: null,
  apiSecret: null,
  proxy_api_url: null,
  adspect_cloak: null,
  userIds: [],
};

/**
 * The settings with the fields of a form applied. Absent fields stay, except that a response mode without a proxy address
 * removes the address. A key in `privateKeys` wins over one in `keys`.
 */
export function withSent(before: AppSettings, form: SentFields): AppSettings {
  const { keys, privateKeys, userIds, response_message: message, ...plain } = form;
  const forgetsProxy = form.response_mode !== undefined && form.proxy_api_url === undefined;
  return {
    ...before,
    ...(forgetsProxy ? { proxy_api_url: null } : {}),
    ...given(plain),
    domain: form.domain === undefined || form.domain === before.domain ? before.domain : storedDomain(form.domain),
    ...given(keys ?? {}),
    ...given(privateKeys ?? {}),
    ...(userIds === undefined ? {} : { userIds: [...new Set(userIds)].sort((a, b) => a - b) }),
    response_message: {
      static: withSentResponse(before.response_message.static, message?.static),
      create: withSentResponse(before.response_message.create, message?.create),
      receive: withSentResponse(before.response_message.receive, message?.receive),
    },
  };
}

type Response = ResponseMessage['static'];

/** A response with the sent parts. A redirect's address is stored as browsers need it, whichever of its parts was sent. */
function withSentResponse(before: Response, sent: NonNullable<SentFields['response_message']>['static']): Response {
  if (sent === undefined) return before;
  const response = { ...before, ...given(sent) };
  return isRedirect(response.code) ? { ...response, response: redirectAddress(response.response) } : response;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function isGiven<T extends object>(fields: T): fields is T & Defined<T> {
  return Object.values(fields).every((value) => value !== undefined);
}

/** The fields without `undefined` in their types, which a body read from JSON does not contain. */
function given<T extends object>(fields: T): Defined<T> {
  if (!isGiven(fields)) throw new TypeError('A field of the form is undefined');
  return fields;
}

/** The fields of an audit entry, by their paths on the wire. */
export function auditFields(settings: AppSettings): Record<string, unknown> {
  const { createApfDevKey, firebaseAppId, apiSecret, response_message: message, userIds, ...plain } = settings;
  const responses = responseEntries.flatMap((entry) =>
    responseParts.map((part) => [`response_message.${entry}.${part}`, message[entry][part]]),
  );
  return {
    ...plain,
    'keys.createApfDevKey': createApfDevKey,
    'keys.firebaseAppId': firebaseAppId,
    'keys.apiSecret': apiSecret,
    ...Object.fromEntries(responses),
    userIds,
  };
}

import type { SaveAppBody } from '@switchyard/contract/app-form';
import { newAppDefaults, responseEntries, responseParts, type ResponseMessage } from '@switchyard/contract/app-rules';
import type { FullApp } from '@switchyard/contract/app-form';

/** Everything of an app that its form sets, by the names of the form (api [12]); keys stand by themselves. */
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

/** What a new app has before its form says anything (AMB-101). */
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
 * The settings after a form was sent: what is absent stays (AMB-113), except a proxy address absent beside a response
 * mode, which is none (AMB-104). A key in `privateKeys` wins over one in `keys` (AMB-088).
 */
export function withSent(before: AppSettings, sent: SentFields): AppSettings {
  const { keys, privateKeys, userIds, response_message: message, ...plain } = sent;
  const forgetsProxy = sent.response_mode !== undefined && sent.proxy_api_url === undefined;
  return {
    ...before,
    ...(forgetsProxy ? { proxy_api_url: null } : {}),
    ...given(plain),
    ...given(keys ?? {}),
    ...given(privateKeys ?? {}),
    ...(userIds === undefined ? {} : { userIds: [...new Set(userIds)].sort((a, b) => a - b) }),
    response_message: {
      static: { ...before.response_message.static, ...given(message?.static ?? {}) },
      create: { ...before.response_message.create, ...given(message?.create ?? {}) },
      receive: { ...before.response_message.receive, ...given(message?.receive ?? {}) },
    },
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function isGiven<T extends object>(fields: T): fields is T & Given<T> {
  return Object.values(fields).every((value) => value !== undefined);
}

/** The same fields; a body read from JSON holds no `undefined`. */
function given<T extends object>(fields: T): Given<T> {
  if (!isGiven(fields)) throw new TypeError('A field of the form is undefined');
  return fields;
}

/** The settings field by field, by their paths on the wire, for the audit trail. */
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

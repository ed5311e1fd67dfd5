import type { createApp, FullApp } from '@switchyard/contract/app-form';
import { newAppDefaults, proxyAddress, staticPath, type ResponseMessage } from '@switchyard/contract/app-rules';
import { verticalIds } from '@switchyard/contract/apps';
import type { BodyInputOf } from '@switchyard/contract/endpoint';

/** The whole form as it is sent (CONF-072 to CONF-075). */
export type AppBody = BodyInputOf<typeof createApp>;
export type VerticalId = (typeof verticalIds)[number];

/** The form's own shape: texts are never null, the vertical is empty until chosen, the keys stand together. */
export type AppFormValues = {
  name: string;
  bundle: string;
  domain: string;
  whiteUserAgent: string;
  vertical: VerticalId | '';
  conversion_api_type: FullApp['conversion_api_type'];
  keys: { createApfDevKey: string; firebaseAppId: string; apiSecret: string };
  /** Ids of the buyers who will have access, in ascending order (UACC-007). */
  userIds: readonly number[];
  app_mode: FullApp['app_mode'];
  response_mode: FullApp['response_mode'];
  proxy_api_url: string;
  proxy_cache_seconds: FullApp['proxy_cache_seconds'];
  static_response_path: string;
  response_message: ResponseMessage;
  cloak_mode: FullApp['cloak_mode'];
  adspect_cloak: string;
};

const blank: AppFormValues = {
  ...newAppDefaults,
  name: '',
  bundle: '',
  domain: '',
  whiteUserAgent: '',
  vertical: '',
  keys: { createApfDevKey: '', firebaseAppId: '', apiSecret: '' },
  userIds: [],
  proxy_api_url: '',
  adspect_cloak: '',
};

/** Ids in ascending order, each once, so that two sets compare part by part. */
export function idSet(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** What the form shows of an app, or of a new one (RESP-025, AMB-101). */
export function valuesOf(app: FullApp | undefined): AppFormValues {
  if (app === undefined) return blank;
  return {
    name: app.name,
    bundle: app.bundle,
    domain: app.domain,
    whiteUserAgent: app.white_user_agent ?? '',
    vertical: verticalIds.find((id) => id === app.vertical) ?? '',
    conversion_api_type: app.conversion_api_type,
    keys: {
      createApfDevKey: app.keys.createApfDevKey ?? '',
      firebaseAppId: app.keys.firebaseAppId ?? '',
      apiSecret: app.keys.apiSecret ?? '',
    },
    userIds: idSet(app.buyers.map((buyer) => buyer.id)),
    app_mode: app.app_mode,
    response_mode: app.response_mode,
    proxy_api_url: app.proxy_api_url ?? '',
    proxy_cache_seconds: app.proxy_cache_seconds,
    static_response_path: app.static_response_path,
    response_message: app.response_message,
    cloak_mode: app.cloak_mode,
    adspect_cloak: app.adspect_cloak ?? '',
  };
}

/** The body of a save: texts as they will be stored, the proxy address only when there is one (CONF-073, AMB-088, AMB-104). */
export function toBody({ keys: { apiSecret, ...keys }, ...values }: AppFormValues): AppBody {
  const { proxy_api_url: typedAddress, ...sent } = values;
  const address = proxyAddress(typedAddress);
  return {
    ...sent,
    keys,
    privateKeys: { apiSecret },
    userIds: [...values.userIds],
    static_response_path: staticPath(values.static_response_path),
    ...(address === null ? {} : { proxy_api_url: address }),
  };
}

const bodyKeys = [
  'name',
  'bundle',
  'domain',
  'whiteUserAgent',
  'vertical',
  'conversion_api_type',
  'keys',
  'privateKeys',
  'userIds',
  'app_mode',
  'response_mode',
  'proxy_api_url',
  'proxy_cache_seconds',
  'static_response_path',
  'response_message',
  'cloak_mode',
  'adspect_cloak',
] as const satisfies readonly (keyof AppBody)[];
export type BodyKey = (typeof bodyKeys)[number];

/** Which parts of the body differ from what was loaded (CONF-069 to CONF-071). */
export function changedKeys(loaded: AppFormValues, values: AppFormValues): BodyKey[] {
  const [before, now] = [toBody(loaded), toBody(values)];
  return bodyKeys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
}

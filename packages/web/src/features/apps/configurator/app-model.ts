import { fullApp, type createApp, type FullApp } from '@switchyard/contract/app-form';
import { appLabels, keyLabels } from '@switchyard/contract/app-form-texts';
import { newAppDefaults, proxyAddress, responseEntries, staticPath, type ResponseMessage } from '@switchyard/contract/app-rules';
import { verticalIds, verticals } from '@switchyard/contract/apps';
import type { BodyInputOf } from '@switchyard/contract/endpoint';
import { isSame, mergeFields, mergeIds, type ComparedField } from '../../../shared/form/conflict.ts';
import type { EntityModel } from '../../../shared/form/use-draft.ts';

/** The body of a save: the whole form. */
export type AppBody = BodyInputOf<typeof createApp>;
export type VerticalId = (typeof verticalIds)[number];

/** The form of an app: texts are never null, the vertical is empty until chosen, the keys are grouped. */
export type AppValues = {
  name: string;
  bundle: string;
  domain: string;
  whiteUserAgent: string;
  vertical: VerticalId | '';
  conversion_api_type: FullApp['conversion_api_type'];
  keys: { createApfDevKey: string; firebaseAppId: string; apiSecret: string };
  /** Ids of the buyers who will have access, in ascending order. */
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

const blank: AppValues = {
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

/** Sorted unique ids, so that two sets compare element by element. */
export function idSet(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** The form of an app, or of a new one. */
export function valuesOf(app: FullApp | undefined): AppValues {
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

/** Builds the body of a save: texts as they will be stored, the proxy address only if there is one. */
export function toBody({ keys: { apiSecret, ...keys }, ...values }: AppValues): AppBody {
  const { proxy_api_url: typedAddress, ...sentValues } = values;
  const address = proxyAddress(typedAddress);
  return {
    ...sentValues,
    keys,
    privateKeys: { apiSecret },
    userIds: [...values.userIds],
    static_response_path: staticPath(values.static_response_path),
    ...(address === null ? {} : { proxy_api_url: address }),
  };
}

/** Labels of the responses. */
export const entryLabels = { static: 'Static response', create: 'Create response', receive: 'Receive response' } as const;

export type BodyKey = keyof typeof appLabels;

/** The keys of the body that differ from what was loaded. */
export function changedKeys(loadedValues: AppValues, values: AppValues): BodyKey[] {
  const [before, now] = [toBody(loadedValues), toBody(values)];
  const keys = Object.keys(appLabels).filter((key): key is BodyKey => key in appLabels);
  return keys.filter((key) => !isSame(before[key], now[key]));
}

/** The text fields, which are validated 500 ms after typing stops. */
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

/** The key that the rules and the server use for a text field of the form. */
export function ruleKeyOf(path: string): string {
  return path.replace(/^keys\./, '').replace(/^(response_message\.\w+)\.response$/, '$1');
}

/** The field of a key of a 422 response, whichever way it is spelled; undefined if the form has none for it. */
export function fieldOf(key: string): string | undefined {
  const bare = key.replace(/^(keys|privateKeys)\./, '');
  return fieldPaths.find((path) => path === key || path === `keys.${bare}` || ruleKeyOf(path) === key);
}

const maskedSecret = (value: string): string => (value === '' ? '' : '••••••••');

/** The fields in the order of the form; buyers are named as in the compared versions. */
function fieldsOf(versions: readonly Pick<FullApp, 'buyers'>[]): readonly ComparedField<AppValues>[] {
  const names = new Map(versions.flatMap(({ buyers }) => buyers.map(({ id, name }) => [id, name])));
  return [
    { label: appLabels.name, value: ({ name }) => name },
    { label: appLabels.bundle, value: ({ bundle }) => bundle },
    { label: appLabels.domain, value: ({ domain }) => domain },
    { label: appLabels.whiteUserAgent, value: ({ whiteUserAgent }) => whiteUserAgent },
    {
      label: appLabels.vertical,
      value: ({ vertical }) => vertical,
      text: ({ vertical }) => verticals.find(({ id }) => id === vertical)?.name ?? vertical,
    },
    { label: appLabels.conversion_api_type, value: (values) => values.conversion_api_type },
    { label: keyLabels.createApfDevKey, value: ({ keys }) => keys.createApfDevKey },
    { label: keyLabels.firebaseAppId, value: ({ keys }) => keys.firebaseAppId },
    { label: keyLabels.apiSecret, value: ({ keys }) => keys.apiSecret, text: ({ keys }) => maskedSecret(keys.apiSecret) },
    {
      label: appLabels.userIds,
      value: ({ userIds }) => userIds,
      text: ({ userIds }) => userIds.map((id) => names.get(id) ?? `#${id}`).join(', '),
    },
    { label: appLabels.app_mode, value: (values) => values.app_mode },
    { label: appLabels.response_mode, value: (values) => values.response_mode },
    { label: appLabels.proxy_api_url, value: (values) => values.proxy_api_url },
    { label: appLabels.proxy_cache_seconds, value: (values) => values.proxy_cache_seconds },
    { label: appLabels.static_response_path, value: (values) => values.static_response_path },
    ...responseEntries.map((entry) => ({
      label: `${appLabels.response_message}: ${entry}`,
      value: ({ response_message: message }: AppValues) => message[entry],
      text: ({ response_message: { [entry]: answer } }: AppValues) => `${answer.type} ${answer.code} ${answer.response}`.trim(),
    })),
    { label: appLabels.cloak_mode, value: (values) => values.cloak_mode },
    { label: appLabels.adspect_cloak, value: (values) => values.adspect_cloak },
  ];
}

/** How an app is edited. */
export const appModel: EntityModel<FullApp, AppValues> = {
  noun: 'app',
  schema: fullApp,
  valuesOf,
  fieldsOf,
  merge: (states) => {
    const { loaded, theirs, mine } = states;
    return {
      ...mergeFields(states),
      keys: mergeFields({ loaded: loaded.keys, theirs: theirs.keys, mine: mine.keys }),
      response_message: mergeFields({
        loaded: loaded.response_message,
        theirs: theirs.response_message,
        mine: mine.response_message,
      }),
      userIds: mergeIds({ loaded: loaded.userIds, theirs: theirs.userIds, mine: mine.userIds }),
    };
  },
};

const units = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3_600, name: 'hour' },
  { seconds: 60, name: 'minute' },
] as const;

/** A duration in whole minutes, hours or days, e.g. `15 minutes` for 900 seconds. */
export function durationText(seconds: number): string {
  const unit = units.find((candidate) => seconds % candidate.seconds === 0) ?? { seconds: 1, name: 'second' };
  const count = seconds / unit.seconds;
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}

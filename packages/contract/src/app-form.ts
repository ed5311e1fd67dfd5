import { z } from 'zod';
import {
  conversionTypes,
  proxyAddress,
  proxyCacheSeconds,
  responseCodes,
  responseTypes,
  staticPath,
  uniqueAppFields,
} from './app-rules.ts';
import { whiteUserAgentCharacters } from './app-form-texts.ts';
import { appModes, appRow, cloakModes, responseModes, verticalIds } from './apps.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams, queryId, single } from './listing.ts';
import { pickedBuyer } from './pick-lists.ts';
import {
  choice,
  cleanBundle,
  cleanName,
  integer,
  integerChoice,
  isStorableText,
  optionalText,
  plainText,
  requiredText,
  storable,
} from './text-fields.ts';

const maximumUserIds = 1_000;

/** Conversion keys. A key may be in `keys` or in `privateKeys`, which takes precedence. */
const keyParts = z.strictObject({
  createApfDevKey: optionalText(255).optional(),
  firebaseAppId: optionalText(255).optional(),
  apiSecret: optionalText(255).optional(),
});

/** One response of the app. A missing part takes its default on creation and stays unchanged on update. */
const responsePart = z.strictObject({
  type: choice(responseTypes).optional(),
  code: integerChoice(responseCodes).optional(),
  response: plainText(65_535).optional(),
});

/** Fields that are optional on creation too. */
const optionalFields = {
  whiteUserAgent: optionalText(whiteUserAgentCharacters).optional(),
  keys: keyParts.optional(),
  privateKeys: keyParts.optional(),
  conversion_api_type: choice(conversionTypes).optional(),
  /** The complete set of buyers with access. */
  userIds: z.array(integer()).max(maximumUserIds).optional(),
  app_mode: choice(appModes).optional(),
  response_mode: choice(responseModes).optional(),
  response_message: z
    .strictObject({ static: responsePart.optional(), create: responsePart.optional(), receive: responsePart.optional() })
    .optional(),
  proxy_api_url: optionalText(2_048)
    .transform((text) => (text === null ? null : proxyAddress(text)))
    .meta({ type: ['string', 'null'], maxLength: 2_048 })
    .optional(),
  static_response_path: plainText(1_000).transform(staticPath).meta({ type: 'string', maxLength: 1_000 }).optional(),
  proxy_cache_seconds: integerChoice(proxyCacheSeconds).optional(),
  cloak_mode: choice(cloakModes).optional(),
  adspect_cloak: optionalText(255).optional(),
};

const requiredFields = {
  name: z.string().overwrite(cleanName).min(1).max(255).refine(isStorableText, storable),
  bundle: z.string().overwrite(cleanBundle).min(1).max(255).refine(isStorableText, storable),
  domain: requiredText(255),
  vertical: z.string().min(1).pipe(choice(verticalIds)).meta({ type: 'string', enum: verticalIds }),
};

/** Body of [12]. Validates shapes only; `appRuleErrors` validates values together with defaults. */
export const createAppBody = z.strictObject({ ...requiredFields, ...optionalFields });
export type CreateAppBody = z.output<typeof createAppBody>;

/** Body of [14]. Absent fields stay unchanged, except `proxy_api_url` when `response_mode` is sent. */
export const saveAppBody = z.strictObject({ ...z.object(requiredFields).partial().shape, ...optionalFields });
export type SaveAppBody = z.output<typeof saveAppBody>;

const storedResponse = z.object({ type: z.enum(responseTypes), code: z.literal(responseCodes), response: z.string() });

/** An app with all fields, as the configurator loads it. Dates are UTC texts. */
export const fullApp = appRow.extend({
  white_user_agent: z.string().nullable(),
  keys: z.object({
    createApfDevKey: z.string().nullable(),
    firebaseAppId: z.string().nullable(),
    apiSecret: z.string().nullable(),
  }),
  conversion_api_type: z.enum(conversionTypes),
  /** Buyers with access to the app, without deleted ones. `has_access` is the flag of the account itself. */
  buyers: z.array(pickedBuyer),
  firebase_settings: z.object({ fileName: z.string(), projectId: z.string().nullable(), updated_at: z.string() }).nullable(),
  response_message: z.object({ static: storedResponse, create: storedResponse, receive: storedResponse }),
  proxy_api_url: z.string().nullable(),
  static_response_path: z.string(),
  proxy_cache_seconds: z.literal(proxyCacheSeconds),
  adspect_cloak: z.string().nullable(),
  version: z.int(),
});
export type FullApp = z.output<typeof fullApp>;

export const createApp = defineEndpoint({
  number: 12,
  method: 'POST',
  path: 'apps',
  summary: 'Create an app',
  access: anyPermission('manager_app_create'),
  recentSignIn: { before: 'change', of: ['userIds'] },
  body: createAppBody,
  validatesValues: true,
  answer: { kind: 'data', status: 201, schema: fullApp },
});

export const getApp = defineEndpoint({
  number: 13,
  method: 'GET',
  path: 'apps/{id}',
  summary: 'An app, archived or not',
  access: anyPermission('manager_app_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: fullApp, etag: true },
});

export const saveApp = defineEndpoint({
  number: 14,
  method: 'PUT',
  path: 'apps/{id}',
  summary: 'Change an app',
  access: anyPermission('manager_app_edit'),
  recentSignIn: { before: 'change', of: ['userIds'] },
  params: idParams,
  body: saveAppBody,
  validatesValues: true,
  answer: { kind: 'data', status: 200, schema: fullApp, etag: true },
  rejections: [409, 412],
});

/** True if no app, archived ones included, uses the name, bundle or domain. */
export const checkNotTaken = defineEndpoint({
  number: 18,
  method: 'GET',
  path: 'app/check-not/{field}',
  summary: 'Whether a value is available',
  access: anyPermission('manager_app_create', 'manager_app_edit'),
  params: z.object({ field: z.enum(uniqueAppFields) }),
  query: z.object({
    search: single(requiredText(255)),
    exceptId: queryId(),
  }),
  answer: { kind: 'data', status: 200, schema: z.boolean() },
});

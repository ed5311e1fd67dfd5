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
import { appModes, appRow, cloakModes, responseModes, verticalIds } from './apps.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams, queryId, single } from './listing.ts';
import { pickedBuyer } from './pick-lists.ts';
import { choice, integer, integerChoice, optionalText, plainText, requiredText } from './text-fields.ts';

const longestUserIds = 1_000;

/** Parts of the conversion keys; a key may stand in `keys` or in `privateKeys`, which wins (AMB-088). */
const keyParts = z.strictObject({
  createApfDevKey: optionalText(255).optional(),
  firebaseAppId: optionalText(255).optional(),
  apiSecret: optionalText(255).optional(),
});

/** One answer of the app; a missing part takes its default or stays as it is. */
const responsePart = z.strictObject({
  type: choice(responseTypes).optional(),
  code: integerChoice(responseCodes).optional(),
  response: plainText(65_535).optional(),
});

/** What may be left out on creation too. */
const optionalFields = {
  whiteUserAgent: optionalText(1_000).optional(),
  keys: keyParts.optional(),
  privateKeys: keyParts.optional(),
  conversion_api_type: choice(conversionTypes).optional(),
  /** The complete set of buyers with access. */
  userIds: z.array(integer()).max(longestUserIds).optional(),
  app_mode: choice(appModes).optional(),
  response_mode: choice(responseModes).optional(),
  response_message: z
    .strictObject({ static: responsePart.optional(), create: responsePart.optional(), receive: responsePart.optional() })
    .optional(),
  proxy_api_url: optionalText(2_048)
    .transform((typed) => (typed === null ? null : proxyAddress(typed)))
    .meta({ type: ['string', 'null'], maxLength: 2_048 })
    .optional(),
  static_response_path: plainText(1_000).transform(staticPath).meta({ type: 'string', maxLength: 1_000 }).optional(),
  proxy_cache_seconds: integerChoice(proxyCacheSeconds).optional(),
  cloak_mode: choice(cloakModes).optional(),
  adspect_cloak: optionalText(255).optional(),
};

const requiredFields = {
  name: requiredText(255),
  bundle: requiredText(255),
  domain: requiredText(255),
  vertical: z.string().min(1).pipe(choice(verticalIds)).meta({ type: 'string', enum: verticalIds }),
};

/** Body of [12]: shapes only; the rules on values are `appRuleErrors`, which also needs what was left out. */
export const createAppBody = z.strictObject({ ...requiredFields, ...optionalFields });
export type CreateAppBody = z.output<typeof createAppBody>;

/** Body of [14]: what is absent stays as it is, except `proxy_api_url` beside `response_mode` (AMB-104, AMB-113). */
export const saveAppBody = z.strictObject({ ...z.object(requiredFields).partial().shape, ...optionalFields });
export type SaveAppBody = z.output<typeof saveAppBody>;

const storedResponse = z.object({ type: z.enum(responseTypes), code: z.literal(responseCodes), response: z.string() });

/** All of an app, as the configurator loads it (api 2, ENT-001 to ENT-012). Dates are UTC texts. */
export const fullApp = appRow.extend({
  white_user_agent: z.string().nullable(),
  keys: z.object({
    createApfDevKey: z.string().nullable(),
    firebaseAppId: z.string().nullable(),
    apiSecret: z.string().nullable(),
  }),
  conversion_api_type: z.enum(conversionTypes),
  /** Buyers with access to the app, deleted ones left out; `has_access` is the account's own flag (AMB-090). */
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
  body: createAppBody,
  judgesValues: true,
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
  refusals: [404],
});

export const saveApp = defineEndpoint({
  number: 14,
  method: 'PUT',
  path: 'apps/{id}',
  summary: 'Change an app',
  access: anyPermission('manager_app_edit'),
  params: idParams,
  body: saveAppBody,
  judgesValues: true,
  answer: { kind: 'data', status: 200, schema: fullApp, etag: true },
  refusals: [404, 409, 412],
});

/** Whether a name, bundle or domain is free among all apps, archived ones included; true means free (AMB-091). */
export const checkNotTaken = defineEndpoint({
  number: 18,
  method: 'GET',
  path: 'app/check-not/{field}',
  summary: 'Whether a value is still free',
  access: anyPermission('manager_app_create', 'manager_app_edit'),
  params: z.object({ field: z.enum(uniqueAppFields) }),
  query: z.object({
    search: single(requiredText(255)),
    exceptId: queryId(),
  }),
  answer: { kind: 'data', status: 200, schema: z.boolean() },
});

import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { idParams } from './listing.ts';
import { cutText, isStorableText } from './text-fields.ts';

/** Messages of rejected push files, in the order of the checks. */
export const pushFileMessages = {
  required: 'The configuration field is required.',
  onlyOne: 'Only one file is allowed.',
  extension: 'The file must be a .json file.',
  tooLarge: 'The file must not be larger than 1 MiB.',
  notObject: 'The file must contain a JSON object.',
  repeatedKey: 'The file must not contain the same key twice.',
  tokenUri: 'The token_uri of the file is not allowed.',
} as const;

/** Maximum size in bytes, and maximum length of the stored name. */
export const pushFileLimits = { bytes: 1_048_576, nameCharacters: 255 } as const;

/** The only `token_uri` a push file may contain. Any other would receive our signed requests. */
export const allowedTokenUri = 'https://oauth2.googleapis.com/token';

/** Texts of the push configuration section. */
export const pushFileTexts = {
  section: 'Push configuration',
  /** Blinks while there is no file. */
  notConfigured: 'Pushes are not configured. Contact with Support',
  choose: 'Choose a JSON file',
  replace: 'Replace the file',
  save: 'Save',
  cancel: 'Cancel',
} as const;

/** Confirmation before a push file is saved. */
export const pushFileConfirm = { title: 'Are you sure?', text: 'Please check all data TWICE!' } as const;

/** The visible part of a stored push file. Its content is never sent. */
export const pushFileSettings = z.object({ fileName: z.string(), projectId: z.string().nullable(), updated_at: z.string() });
export type PushFileSettings = z.output<typeof pushFileSettings>;

/** Kinds of push files. Only a service account can send pushes. */
export const pushFileKinds = ['service_account', 'google_services', 'user_credentials', 'unknown'] as const;

/** Kind and project of a push file, without any of its secrets. `project` is that of its kind; null if it names none. */
export const pushFileDescription = z.object({
  kind: z.enum(pushFileKinds),
  project: z.string().nullable(),
  can_send: z.boolean(),
});
export type PushFileDescription = z.output<typeof pushFileDescription>;

/** Message about a file that cannot send pushes. */
export const cannotSend = 'Cannot send pushes. Use the JSON key of a service account.';

/** Describes the content of a push file; `unknown` for what is no JSON object. */
export function describePushFile(content: string): PushFileDescription {
  const file = parseJsonObject(new TextEncoder().encode(content))?.value ?? {};
  const own = (key: string) => readOwnProperty(file, key);
  const type = own('type');
  if (type === 'service_account') {
    const project = textOf(own('project_id'));
    const canSend = project !== null && textOf(own('client_email')) !== null && textOf(own('private_key')) !== null;
    return { kind: type, project, can_send: canSend };
  }
  const information = own('project_info');
  if (typeof information === 'object' && information !== null && Array.isArray(own('client')))
    return { kind: 'google_services', project: textOf(readOwnProperty(information, 'project_id')), can_send: false };
  if (type === 'authorized_user') return { kind: 'user_credentials', project: null, can_send: false };
  return { kind: 'unknown', project: textOf(own('project_id')), can_send: false };
}

/** A text that is not empty; null for anything else. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && isStorableText(value) ? value : null;
}

const kindNames: Readonly<Record<PushFileDescription['kind'], string>> = {
  service_account: 'Service account',
  google_services: 'google-services.json of an app',
  user_credentials: 'User credentials',
  unknown: 'Unknown kind of file',
};

/** A push file in words, e.g. "Service account of the project acme". */
export function pushFileName({ kind, project }: PushFileDescription): string {
  if (project === null) return kindNames[kind];
  return kind === 'service_account' ? `${kindNames[kind]} of the project ${project}` : `${kindNames[kind]}, project ${project}`;
}

/** A file of a multipart form: its base name and its content. */
export type UploadedFile = { readonly name: string; readonly bytes: Uint8Array };

/** A validated push file. `content` is the JSON serialised again, so the stored text is what was validated. */
export type PushFile = { readonly fileName: string; readonly projectId: string | null; readonly content: string };

/** Validates the name and size of a file, which the browser can do before the upload. Returns the message or null. */
export function pushFileProblem(file: { readonly name: string; readonly size: number }): string | null {
  if (!file.name.toLowerCase().endsWith('.json')) return pushFileMessages.extension;
  return file.size > pushFileLimits.bytes ? pushFileMessages.tooLarge : null;
}

/** Validates and parses a push file. Returns the file, or the message of the first rule it breaks. */
export function readPushFile({ name, bytes }: UploadedFile): PushFile | string {
  const problem = pushFileProblem({ name, size: bytes.length });
  if (problem !== null) return problem;
  const file = parseJsonObject(bytes);
  if (file === null) return pushFileMessages.notObject;
  if (file.repeatsKey) return pushFileMessages.repeatedKey;
  const tokenUri = readOwnProperty(file.value, 'token_uri');
  if (tokenUri !== undefined && tokenUri !== allowedTokenUri) return pushFileMessages.tokenUri;
  const projectId = readOwnProperty(file.value, 'project_id');
  return {
    fileName: shortenFileName(name),
    projectId: typeof projectId === 'string' && isStorableText(projectId) ? cutText(projectId, pushFileLimits.nameCharacters) : null,
    content: file.content,
  };
}

/** Parses a JSON object. Reports repeated keys, because parsers differ in which one they use. Null if it is not a JSON object. */
function parseJsonObject(bytes: Uint8Array): { value: object; content: string; repeatsKey: boolean } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return { value, content: JSON.stringify(value), repeatsKey: repeatsKey(text) };
  } catch {
    // Invalid UTF-8, invalid JSON, or nesting too deep to serialise.
    return null;
  }
}

const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/** Whether any object in this valid JSON text has a repeated key. Compares keys after unescaping. */
function repeatsKey(json: string): boolean {
  // The keys of each open object; null for a list.
  const open: (Set<unknown> | null)[] = [];
  let before = '';
  for (const [token] of json.matchAll(jsonToken)) {
    const keys = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ',' && keys && (before === '{' || before === ',')) {
      const key: unknown = JSON.parse(token);
      if (keys.has(key)) return true;
      keys.add(key);
    }
    before = token;
  }
  return false;
}

/** Reads an own property, never one of the prototype. */
function readOwnProperty(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/** Removes control characters and shortens the name to 255 characters, keeping its extension. */
function shortenFileName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/\p{Cc}/gu, '');
  if (plain.length <= pushFileLimits.nameCharacters) return plain;
  const end = plain.slice(-'.json'.length);
  return `${cutText(plain, pushFileLimits.nameCharacters - end.length)}${end}`;
}

/** Whether a value of a form is a file. */
export function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
}

/** The file field of the form: exactly one file. `readPushFile` validates its content. */
const configuration = z
  .unknown()
  .transform((value, context): UploadedFile => {
    // Browsers send an empty file field as an empty file without a name.
    if (isUploadedFile(value) && (value.name !== '' || value.bytes.length > 0)) return value;
    const message = Array.isArray(value) ? pushFileMessages.onlyOne : pushFileMessages.required;
    context.addIssue({ code: 'custom', message, params: { shape: true } });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'binary', description: 'A .json file of at most 1 MiB' });

/** Digits only. Digits that cannot be an id become 0, which no app has. */
const appId = z
  .string()
  .regex(/^\d+$/)
  .transform((digits) => (/^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 0))
  .meta({ type: 'string', pattern: '^\\d+$' });

/** Kind of the stored file; null without a file, and for one that can no longer be decrypted. */
export const getPushFile = defineEndpoint({
  number: 380,
  method: 'GET',
  path: 'apps/{id}/push-file',
  summary: "What an app's push configuration file is, without its content",
  access: anyPermission('manager_app_edit'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: pushFileDescription.nullable() },
});

/** The web sends form data with the fields `appId` and `configuration`. */
export const savePushFile = defineEndpoint({
  number: 21,
  method: 'POST',
  path: 'app/firebase-configuration',
  summary: "Replace an app's push configuration file",
  access: anyPermission('manager_app_push_setting'),
  recentSignIn: null,
  bodyForm: 'multipart',
  validatesValues: true,
  body: z.strictObject({ appId, configuration }),
  answer: { kind: 'data', status: 200, schema: pushFileSettings },
  rejections: [404, 409],
});

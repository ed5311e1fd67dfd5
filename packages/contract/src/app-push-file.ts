import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { isStorableText } from './text-fields.ts';

/** Refusals of a push file, in the order in which they are checked (api [21]). */
export const pushFileMessages = {
  required: 'The configuration field is required.',
  onlyOne: 'Only one file is allowed.',
  extension: 'The file must be a .json file.',
  tooLarge: 'The file must not be larger than 1 MiB.',
  notObject: 'The file must contain a JSON object.',
  repeatedKey: 'The file must not contain the same key twice.',
  tokenUri: 'The token_uri of the file is not allowed.',
} as const;

/** Bytes of the file, characters of the name that is kept (O11, api [21]). */
export const pushFileLimits = { bytes: 1_048_576, nameCharacters: 255 } as const;

/** The one address a push file may name for tokens; another one would send our signed requests elsewhere (S18). */
export const allowedTokenUri = 'https://oauth2.googleapis.com/token';

/** Words of the push configuration section (PUSHF-001 to PUSHF-006, AMB-125). */
export const pushFileTexts = {
  section: 'Push configuration',
  /** Blinks while there is no file (PUSHF-005). */
  notConfigured: 'Pushes are not configured. Contact with Support',
  choose: 'Choose a JSON file',
  replace: 'Replace the file',
  save: 'Save',
  cancel: 'Cancel',
} as const;

/** Asked before a push file is saved (PUSHF-009, CONF-019). */
export const pushFileConfirm = { title: 'Are you sure?', text: 'Please check all data TWICE!' } as const;

/** What of the stored push file is ever shown: never its content (AMB-123). */
export const pushFileSettings = z.object({ fileName: z.string(), projectId: z.string().nullable(), updated_at: z.string() });
export type PushFileSettings = z.output<typeof pushFileSettings>;

/** A file of a multipart form as the server has read it: its base name and its bytes. */
export type UploadedFile = { readonly name: string; readonly bytes: Uint8Array };

/** A push file that may be stored; `content` is its JSON written anew, so that what was checked is what is kept. */
export type PushFile = { readonly fileName: string; readonly projectId: string | null; readonly content: string };

/**
 * What is wrong with a file by its name and size alone, as the browser knows them before anything is sent; null when
 * nothing is (PUSHF-006).
 */
export function pushFileProblem(file: { readonly name: string; readonly size: number }): string | null {
  if (!file.name.toLowerCase().endsWith('.json')) return pushFileMessages.extension;
  return file.size > pushFileLimits.bytes ? pushFileMessages.tooLarge : null;
}

/** Reads a push file by every rule of api [21], in order; the answer is the file or the text of the rule it breaks. */
export function readPushFile({ name, bytes }: UploadedFile): PushFile | string {
  const problem = pushFileProblem({ name, size: bytes.length });
  if (problem !== null) return problem;
  const parsed = jsonObject(bytes);
  if (parsed === null) return pushFileMessages.notObject;
  if (parsed.repeatsKey) return pushFileMessages.repeatedKey;
  const tokenUri = ownValue(parsed.value, 'token_uri');
  if (tokenUri !== undefined && tokenUri !== allowedTokenUri) return pushFileMessages.tokenUri;
  const projectId = ownValue(parsed.value, 'project_id');
  return {
    fileName: shortened(name),
    projectId: typeof projectId === 'string' && isStorableText(projectId) ? projectId.slice(0, pushFileLimits.nameCharacters) : null,
    content: parsed.content,
  };
}

/** A JSON object, its text written anew, and whether any object in it has a key twice: readers differ in which one counts. */
function jsonObject(bytes: Uint8Array): { value: object; content: string; repeatsKey: boolean } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return { value, content: JSON.stringify(value), repeatsKey: repeatsKey(text) };
  } catch {
    // Broken UTF-8, broken JSON, or one nested too deep to be written again.
    return null;
  }
}

const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/** Whether an object of this valid JSON text, however deep, has the same key twice; escapes are the characters they mean. */
function repeatsKey(json: string): boolean {
  // The keys of each object that is open; null for a list.
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

/** The value under a key of the object itself, never of its prototype. */
function ownValue(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/** A name without control characters, of at most 255 characters, that still ends as it did. */
function shortened(name: string): string {
  const plain = name.toWellFormed().replaceAll(/\p{Cc}/gu, '');
  if (plain.length <= pushFileLimits.nameCharacters) return plain;
  const end = plain.slice(-'.json'.length);
  return `${plain.slice(0, pushFileLimits.nameCharacters - end.length).toWellFormed()}${end}`;
}

function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
}

/** The file field of the form: exactly one file, whose content `readPushFile` judges. */
const configuration = z
  .unknown()
  .transform((value, context): UploadedFile => {
    // A browser sends a file field without a file as a nameless empty file.
    if (isUploadedFile(value) && (value.name !== '' || value.bytes.length > 0)) return value;
    const message = Array.isArray(value) ? pushFileMessages.onlyOne : pushFileMessages.required;
    context.addIssue({ code: 'custom', message, params: { shape: true } });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'binary', description: 'A .json file of at most 1 MiB' });

/** Digits only; those that can be no id name no app. */
const appId = z
  .string()
  .regex(/^\d+$/)
  .transform((digits) => (/^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : 0))
  .meta({ type: 'string', pattern: '^\\d+$' });

/** Sent by the web as form data with the fields `appId` and `configuration`. */
export const savePushFile = defineEndpoint({
  number: 21,
  method: 'POST',
  path: 'app/firebase-configuration',
  summary: "Replace an app's push configuration file",
  access: anyPermission('manager_app_push_setting'),
  bodyForm: 'multipart',
  judgesValues: true,
  body: z.strictObject({ appId, configuration }),
  answer: { kind: 'data', status: 200, schema: pushFileSettings },
  refusals: [404, 409],
});

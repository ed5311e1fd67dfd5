import { z } from 'zod';
import { isUploadedFile } from './app-push-file.ts';
import { maximumImportLines } from './black-list-text.ts';
import { blackListAccess, blackListFields } from './black-list.ts';
import { defineEndpoint } from './endpoint.ts';

export const importLimits = {
  /** Size of the form. */
  bytes: 16_777_216,
  /** Characters of a line that a result shows. */
  lineCharacters: 200,
} as const;

export const importMessages = {
  tooManyLines: `At most ${maximumImportLines.toLocaleString('en-US')} lines and entries per import.`,
  noList: 'Choose a file or paste a list.',
  packed: 'The file is packed. Unpack it first.',
  existing: (entry: string) => `${entry} is on the list already.`,
  extended: (entry: string) => `${entry} is on the list already and will expire later.`,
  kept: (entry: string) => `${entry} is on the list already and will stay.`,
  repeated: (entry: string, line: number) => `${entry} is in line ${line} already.`,
  covered: (entry: string, network: string, line: number | null) =>
    `${entry} is covered by ${network}${line === null ? '' : ` in line ${line}`}.`,
} as const;

/** Results of a line of an import: it is added, on the list already, covered by a network, no entry, protected, or the heads of columns. */
export const importResults = ['added', 'existing', 'covered', 'invalid', 'protected', 'skipped'] as const;
export type ImportResult = (typeof importResults)[number];

/**
 * An entry of an imported list by its line, or a line without one. `lines`: how many lines its row has, where it has several. `message` says why it is not added,
 * `suggestion` what was probably meant, in place of `part` where the line has other entries, else of the line.
 */
export const importLine = z.object({
  line: z.int(),
  lines: z.int().optional(),
  text: z.string(),
  result: z.enum(importResults),
  entry: z.string().nullable(),
  message: z.string().nullable(),
  suggestion: z.string().nullable(),
  part: z.string().optional(),
});
export type ImportLine = z.output<typeof importLine>;

/** How many entries of a list have each result. `extended` counts those of `existing` that expire later now. */
export const importCounts = z.object({
  added: z.int(),
  existing: z.int(),
  extended: z.int(),
  covered: z.int(),
  invalid: z.int(),
  protected: z.int(),
  skipped: z.int(),
});
export type ImportCounts = z.output<typeof importCounts>;

/** A line of the answer of a check: results, and at the end the counts. */
export const importCheckLine = z.union([importLine, z.object({ counts: importCounts })]);

/** A pasted text, or a file. */
const importedList = z
  .unknown()
  .transform((value, context): string => {
    const text = typeof value === 'string' ? withLineFeeds(value) : isUploadedFile(value) ? decodeList(value.bytes) : '';
    const message = text === null ? importMessages.packed : text.trim() === '' ? importMessages.noList : null;
    if (message === null && text !== null) return text;
    context.addIssue({ code: 'custom', message: message ?? '', params: { shape: true } });
    return z.NEVER;
  })
  .meta({ type: 'string', description: `A file, or a text, of at most ${maximumImportLines.toLocaleString('en-US')} lines` });

/** The text of a file in UTF-8 or UTF-16, with line feeds; null for an archive. A NUL beside the first character shows UTF-16 without its mark. */
export function decodeList(bytes: Uint8Array): string | null {
  const [first, second, third, fourth] = bytes;
  const isZip = first === 0x50 && second === 0x4b && third === 0x03 && fourth === 0x04;
  if (isZip || (first === 0x1f && second === 0x8b)) return null;
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return withLineFeeds(new TextDecoder(isLittleEndian ? 'utf-16le' : isBigEndian ? 'utf-16be' : 'utf-8').decode(bytes));
}

/** A text whose lines end as those of old Macs and of Windows do, with line feeds, so that all count its lines alike. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

const { expires_at, expires_in_hours } = blackListFields;

export const checkBlackListImport = defineEndpoint({
  number: 444,
  method: 'POST',
  path: 'black-list/import/check',
  summary: 'What an import would do with each line of a list, as a stream; stores nothing',
  access: blackListAccess,
  recentSignIn: null,
  bodyForm: 'multipart',
  maximumBytes: importLimits.bytes,
  body: z.strictObject({ list: importedList, expires_at, expires_in_hours }),
  answer: { kind: 'raw', contentType: 'application/x-ndjson' },
});

export const importBlackList = defineEndpoint({
  number: 445,
  method: 'POST',
  path: 'black-list/import',
  summary: 'Add the entries of a list, and leave out what is no entry, protected or covered',
  access: blackListAccess,
  recentSignIn: null,
  bodyForm: 'multipart',
  maximumBytes: importLimits.bytes,
  body: z.strictObject({ list: importedList, ...blackListFields }),
  answer: { kind: 'data', status: 200, schema: importCounts },
});

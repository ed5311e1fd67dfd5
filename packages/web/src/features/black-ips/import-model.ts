import { checkBlackListImport, importCheckLine, type ImportCounts, type ImportLine } from '@switchyard/contract/black-list-import';
import { open } from '../../shared/api/call.ts';

/** What is imported with every entry of a list. */
export type ImportFields = { reason: string; source: string; expiry: ImportExpiry };
/** Hours, `date` with a time in the server's offset as `YYYY-MM-DDTHH:mm`, or `never`. */
export type ImportExpiry = { choice: string; until: string };

/** Choices of when imported entries expire. */
export const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: 'date', label: 'Date' },
];

/** The form of an import. */
export function importForm(text: string, { reason, source, expiry }: ImportFields, offset: string): FormData {
  const form = checkForm(text, expiry, offset);
  form.append('reason', reason);
  form.append('source', source);
  return form;
}

function checkForm(text: string, { choice, until }: ImportExpiry, offset: string): FormData {
  const form = new FormData();
  // As a file, because forms change the line ends of texts.
  form.append('list', new Blob([text], { type: 'text/plain' }), 'list.txt');
  if (choice === 'date') form.append('expires_at', `${until}:00${offset}`);
  else if (choice !== 'never') form.append('expires_in_hours', choice);
  return form;
}

export type ImportCheck = { lines: readonly ImportLine[]; counts: ImportCounts };

/** Asks what an import would do with each line. `onProgress` hears the share of lines that have a result. Rejects with a CallError. */
export async function checkImport(
  text: string,
  {
    expiry,
    offset,
    signal,
    onProgress,
  }: { expiry: ImportExpiry; offset: string; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<ImportCheck> {
  const total = Math.max(1, text.split('\n').length);
  // Named here, its file would be named on every first screen.
  const { readLines } = await import('../../shared/api/read-lines.ts');
  const { response } = await open(checkBlackListImport, { body: checkForm(text, expiry, offset), signal });
  const lines: ImportLine[] = [];
  let counts: ImportCounts | null = null;
  for await (const part of readLines(response)) {
    const row = importCheckLine.parse(JSON.parse(part));
    if ('counts' in row) counts = row.counts;
    else lines.push(row);
    if (lines.length % 1000 === 0) onProgress((lines.at(-1)?.line ?? 0) / total);
  }
  if (counts === null) throw new TypeError('The answer ended early');
  return { lines, counts };
}

/** A list with other texts on some lines, by their numbers from 1. */
export function withCorrections(text: string, corrections: ReadonlyMap<number, string>): string {
  if (corrections.size === 0) return text;
  return text
    .split('\n')
    .map((line, index) => corrections.get(index + 1) ?? line)
    .join('\n');
}

/** A line with another text in place of one of its entries. */
export function withPart(line: string, part: string, text: string): string {
  const pieces = line.split(/([\s,;|"'`]+)/);
  return pieces.map((piece) => (piece === part ? text : piece)).join('');
}

/**
 * A decoded value as lines to read: `key: value` for every key at the top, with texts as they are and everything else as
 * compact JSON (DEV-009, AMB-159). A list has its positions for keys; a plain value is one line without a key.
 */
export function decodedLines(value: unknown): string {
  if (typeof value !== 'object' || value === null) return inLine(value);
  const lines = Object.entries(value).map(([key, part]) => `${key}: ${inLine(part)}`);
  return lines.length > 0 ? lines.join('\n') : JSON.stringify(value);
}

function inLine(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

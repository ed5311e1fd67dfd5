/** What nests deeper is shown as the text it is: nothing that writes JSON could write it again. */
const deepest = 100;

/** The JSON object that a text is, or null. */
export function parseObject(text: string): Record<string, unknown> | null {
  return asObject(parseJson(text));
}

/** The JSON object or list that a text is, or null. Line breaks within its texts may stand as they are. */
export function parseContainer(text: string): object | null {
  const value = parseJson(text) ?? (text.includes('\n') ? parseJson(text.replaceAll('\n', String.raw`\n`)) : undefined);
  return typeof value === 'object' && value !== null && !nestsDeeper(value, deepest) ? value : null;
}

/** The value as an object, or null when it is none, or nests too deep. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return isObject(value) && !nestsDeeper(value, deepest) ? value : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const part of Object.values(value)) if (nestsDeeper(part, levels - 1)) return true;
  return false;
}

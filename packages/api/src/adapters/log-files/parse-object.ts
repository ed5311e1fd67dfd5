/** What nests deeper is shown as the text it is: nothing that writes JSON could write it again. */
const deepest = 100;

/** The JSON object that a text is, or null. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The value as an object, or null when it is none, or nests too deep. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return isObject(value) && !nestsDeeper(value, deepest) ? value : null;
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

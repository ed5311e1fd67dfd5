/** Escapes of NUL and of surrogate halves; PostgreSQL can store neither. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Whether JSON text may hold characters that cannot be stored. A cheap look at the text that spares nearly every
 * batch the walk through all its values; whole surrogate pairs written as escapes are false alarms.
 */
export function mayHoldBrokenText(json: string): boolean {
  return suspicious.test(json);
}

/**
 * The same value with NUL and lone surrogates in its texts and keys replaced by U+FFFD (api 13), down to so many levels:
 * what lies deeper is refused anyway and must not exhaust the stack.
 */
export function cleanText(value: unknown, levels = 1000): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\u{FFFD}').toWellFormed();
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => cleanText(inner, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [String(cleanText(key)), cleanText(inner, levels - 1)]));
}

/** The id of a request that a text consists of; null for any other text. */
export function readRequestId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

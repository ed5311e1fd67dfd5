/**
 * The same request for a terminal, without anything of the session. Double quotes, which every shell knows: neither an
 * address of a host nor base64 holds what they do not protect.
 */
export function curlCommand(address: string, encoded: string): string {
  return `curl -X POST "${address}" -H "Content-Type: text/plain" --data-raw "${encoded}"`;
}

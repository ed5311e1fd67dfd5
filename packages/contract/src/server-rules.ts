/** Texts of the rules on traffic servers (api [65]). */
export const serverMessages = {
  url: 'The url must be a valid http or https URL.',
  tokenSpaces: 'The token must not contain spaces.',
  tokenTaken: 'The token is already used by another server.',
  ip: 'The ip must be a valid IPv4 or IPv6 address.',
} as const;

/** Most characters of each field (api [65]). */
export const serverFieldCharacters = { name: 255, url: 2_048, token: 255, region: 255, secret: 1_024 } as const;

/** A shorter token never authenticates anything (api 8). */
export const shortestToken = 24;

/** Asked before servers are created, changed and removed (SRV-012, SRV-015, SRV-016). */
export const serverConfirms = {
  save: { title: 'Are you sure?', text: 'Please check all data TWICE!' },
  remove: { title: 'Are you sure?', text: 'All data will be DELETED!' },
} as const;

/**
 * Whether servers can be reached at this address: `http(s)://host[:port][/path]` without user info, query, fragment and
 * spaces (api [65], O38). The provisioner appends its path, which a query or a fragment would swallow.
 */
export function isServerUrl(text: string): boolean {
  // A browser reads a backslash as a slash and drops control characters, so what is seen would not be what is called.
  if (!/^https?:\/\/(?!\/)[^\s\\?#\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { username, password, host } = new URL(text);
  return host !== '' && username === '' && password === '' && !/^https?:\/\/[^/]*@/i.test(text);
}

/** Whether a token can be sent in a header: printable ASCII without spaces (api [65]). */
export function isSendableToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** A new token of 256 random bits, as the form offers it; it is shown once and never again (S29). */
export function newServerToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return `swy_${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

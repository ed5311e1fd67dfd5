/** Messages of the rules on traffic servers. */
export const serverMessages = {
  url: 'The url must be a valid http or https URL.',
  tokenSpaces: 'The token must not contain spaces.',
  tokenTaken: 'The token is already used by another server.',
  ip: 'The ip must be a valid IPv4 or IPv6 address.',
} as const;

/** Maximum length of each field in characters. */
export const serverFieldCharacters = { name: 255, url: 2_048, token: 255, region: 255, secret: 1_024 } as const;

/** Shorter tokens never authenticate. */
export const minimumTokenLength = 24;

/** Confirmations before servers are created, changed and deleted. */
export const serverConfirms = {
  save: { title: 'Are you sure?', text: 'Please check all data TWICE!' },
  remove: { title: 'Are you sure?', text: 'All data will be DELETED!' },
} as const;

/**
 * Whether the text is a valid server URL: `http(s)://host[:port][/path]` without credentials, query, fragment and
 * spaces. The provisioner appends its path, which would become part of a query or fragment.
 */
export function isServerUrl(text: string): boolean {
  // URL parsers read a backslash as a slash and drop control characters, so the visible address would differ from the called one.
  if (!/^https?:\/\/(?!\/)[^\s\\?#\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return false;
  const { username, password, host } = new URL(text);
  return host !== '' && username === '' && password === '' && !/^https?:\/\/[^/]*@/i.test(text);
}

/** Whether a token can be sent in a header: printable ASCII without spaces. */
export function isSendableToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Generates a token with 256 random bits. The form shows it only once. */
export function newServerToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return `swy_${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

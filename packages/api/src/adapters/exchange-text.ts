import { cutText } from '@switchyard/contract/text-fields';

/** Words of a stranger for one line on a screen: printable characters only, at most `most`. */
export function printable(text: string, most: number): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return cutText(line, most).trimEnd();
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name cannot be looked up',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept connections',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
};

/** Why an exchange over the network failed. Never has the url, which may contain a secret. */
export function describeExchangeError(error: unknown): string {
  const code = codeOf(error);
  const reason = code === null ? undefined : reasons[code];
  return reason ?? code ?? 'the exchange failed';
}

/** The code of the error or of what caused it. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

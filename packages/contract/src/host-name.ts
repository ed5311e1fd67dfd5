import punycode from 'punycode.js';

/** Labels of letters, digits and inner hyphens (RFC 1123). Only in an address is the last one a number. */
const hostName = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Texts that a URL parser reads as another host than the visible one: it decodes percent signs and drops invisible characters. */
const misread = /[^\P{ASCII}A-Za-z\d.-]|[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]/u;

/** The host name that a text is, in the form in which DNS knows it: lower-case ASCII (IDNA, UTS 46) without the last dot. Null if it is none. */
export function hostNameOf(text: string): string | null {
  const ascii = misread.test(text) ? null : asciiOf(text)?.replace(/\.$/, '');
  if (ascii === undefined || ascii === null || !hostName.test(ascii)) return null;
  // Parsers differ in which labels that begin with xn-- they accept.
  const unicode = decode(ascii);
  return unicode !== null && asciiOf(unicode) === ascii ? ascii : null;
}

function asciiOf(text: string): string | null {
  const address = `http://${text}`;
  return URL.canParse(address) ? new URL(address).hostname : null;
}

/** Null for punycode that cannot be decoded. */
function decode(ascii: string): string | null {
  try {
    return punycode.toUnicode(ascii);
  } catch {
    return null;
  }
}

/** The form in which a domain is stored and compared. What is no host name stays, in lower case: domains that were stored earlier are found by it. */
export function storedDomain(text: string): string {
  return hostNameOf(text) ?? text.toLowerCase();
}

/** The Unicode form of a stored domain; null if it has no other. */
export function unicodeDomain(domain: string): string | null {
  const ascii = hostNameOf(domain);
  if (ascii === null || !ascii.includes('xn--')) return null;
  const unicode = decode(ascii);
  return unicode === ascii ? null : unicode;
}

/** A domain as screens show it: the Unicode form with the ASCII one beside it. */
export function shownDomain(domain: string): string {
  const unicode = unicodeDomain(domain);
  return unicode === null ? domain : `${unicode} (${domain})`;
}

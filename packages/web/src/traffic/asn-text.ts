import { noAsn, noValue } from '@switchyard/contract/requests';

/** The autonomous system of requests in words. That of requests which arrived before systems were stored is not known. */
export function asnText(code: string, name: string | null = null): string {
  if (code === noValue) return 'System not known';
  return code === noAsn ? 'None' : `AS${code}${name === null ? '' : ` ${name}`}`;
}

import { z } from 'zod';
import { isLiteralList, readQuery } from './listing.ts';
import { noAsn, noValue, requestFilters } from './requests.ts';

const { geo, asn, streamUid, type } = requestFilters;
/** Filters with which a rule counts some requests only. Names, values and meaning are those of the lists of requests. */
const ruleFilters = z.strictObject({ geo, asn, streamUid, type });
export type RuleFilters = z.output<typeof ruleFilters>;
export type RuleFilterName = keyof RuleFilters;
export const ruleFilterNames = ruleFilters.keyof().options;

/** Values of filters, which may not be valid. */
export type RuleFilterValues = { readonly [Name in RuleFilterName]?: readonly string[] | undefined };

/** The filters in a text. Throws for one that `requestFilterText` does not take. */
export function readRuleFilters(text: string): RuleFilters {
  return ruleFilters.parse(readQuery(text));
}

/** The values in a text that `writeRuleFilters` gave. */
export function ruleFilterValues(text: string): RuleFilterValues {
  const parameters = new URLSearchParams(text);
  const valuesOf = (name: RuleFilterName): string[] => [...parameters.getAll(name), ...parameters.getAll(`${name}[]`)];
  return Object.fromEntries(ruleFilterNames.map((name) => [name, valuesOf(name)]));
}

/** Filters without streams, whose uids are those of apps. */
export function withoutStreams(text: string): string {
  return writeRuleFilters({ ...ruleFilterValues(text), streamUid: [] });
}

/** Filters as a text, the same one for the same filters. */
export function writeRuleFilters(filters: RuleFilterValues): string {
  const parameters = new URLSearchParams();
  for (const name of ruleFilterNames) {
    const values = filters[name] ?? [];
    const key = isLiteralList(name, values) ? `${name}[]` : name;
    for (const value of values.toSorted()) parameters.append(key, value);
  }
  return parameters.toString();
}

const mostCharacters = 2_000;

/** Whether a text has filters only, and as few as can be stored once they are written in one way. */
function isRuleFilter(text: string): boolean {
  const parsed = ruleFilters.safeParse(readQuery(text));
  return parsed.success && writeRuleFilters(parsed.data).length <= mostCharacters;
}

/** Filters as the address of a list writes them: `geo=DE&geo=FR&asn=3320`; '' counts all requests. */
export const requestFilterText = z
  .string()
  .max(mostCharacters)
  .refine(isRuleFilter, {
    error: `Must be filters by geo, asn, streamUid or type, as the address of a list has them, of ${mostCharacters} characters at most.`,
    abort: true,
  })
  .overwrite((text) => writeRuleFilters(readRuleFilters(text)));

const inWords: { readonly [Name in RuleFilterName]-?: (value: string) => string } = {
  geo: (code) => (code === noValue ? 'no country' : code),
  asn: (code) => (code === noValue ? 'an unknown AS' : code === noAsn ? 'no AS' : `AS${code}`),
  streamUid: (uid) => (uid === noValue ? 'no stream' : `stream ${uid}`),
  type: (name) => `type ${name}`,
};

/** The filters in brackets, as reasons of incidents have them; '' if there are none. */
export function filterText(text: string): string {
  return text === '' ? '' : ` (${ruleFiltersInWords(text)})`;
}

/** The filters in words: `DE or FR, AS3320`; '' if there are none. */
export function ruleFiltersInWords(text: string): string {
  const filters = ruleFilterValues(text);
  return ruleFilterNames
    .map((name) => (filters[name] ?? []).map((value) => inWords[name](value)).join(' or '))
    .filter((words) => words !== '')
    .join(', ');
}

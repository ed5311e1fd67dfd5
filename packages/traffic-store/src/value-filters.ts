import { noValue, type RequestFilters } from '@switchyard/contract/requests';
import type { EventColumns } from './event-fields.ts';

type TextColumn = { [Column in keyof EventColumns]: EventColumns[Column] extends string ? Column : never }[keyof EventColumns];
type TextsParameter = {
  [Name in keyof RequestFilters]: RequestFilters[Name] extends string[] | undefined ? Name : never;
}[keyof RequestFilters];

/** `answeredBy`: roll-ups that count by the column, or the events themselves, one by one. */
type ValueFilter = {
  readonly column: TextColumn;
  readonly parameter: TextsParameter;
  readonly isExcluding: boolean;
  readonly answeredBy: 'roll-ups' | 'events';
};

/**
 * Filters by a list of values of one column, which they find or exclude. The type of a filter, what answers it, its condition in both
 * engines, the parameter that asks for it and, on ClickHouse, that the column is one of its own follow from this table.
 */
export const valueFilters = {
  countries: { column: 'country', parameter: 'geo', isExcluding: false, answeredBy: 'roll-ups' },
  countriesNot: { column: 'country', parameter: 'geoNot', isExcluding: true, answeredBy: 'roll-ups' },
  streamUids: { column: 'stream_uid', parameter: 'streamUid', isExcluding: false, answeredBy: 'roll-ups' },
  streamUidsNot: { column: 'stream_uid', parameter: 'streamUidNot', isExcluding: true, answeredBy: 'roll-ups' },
  asns: { column: 'asn', parameter: 'asn', isExcluding: false, answeredBy: 'roll-ups' },
  asnsNot: { column: 'asn', parameter: 'asnNot', isExcluding: true, answeredBy: 'roll-ups' },
} as const satisfies Readonly<Record<string, ValueFilter>>;

export type ValuePart = keyof typeof valueFilters;
export type FilteredColumn = (typeof valueFilters)[ValuePart]['column'];

/** The parts of an event filter that name values of a column. */
export type ValueParts = { [Part in ValuePart]?: readonly string[] | undefined };

export const valueParts = Object.keys(valueFilters).filter((part): part is ValuePart => part in valueFilters);

/** Columns that have such a filter. */
export const filteredColumns: readonly FilteredColumn[] = [...new Set(valueParts.map((part) => valueFilters[part].column))];

/** Whether a part of a filter names values of a column. */
export function isValuePart(part: string): part is ValuePart {
  return part in valueFilters;
}

/** A value of a filter as columns hold it. */
function toColumn(value: string): string {
  return value === noValue ? '' : value;
}

/** Fields of top values and groupings of reports by these columns. */
const namedFields: ReadonlySet<string> = new Set(['country', 'stream', 'asn']);

/** A value of a field as top values and reports name it: as the filter does that finds what lacks one. */
export function namedValue(field: string | undefined, value: string): string {
  return value === '' && field !== undefined && namedFields.has(field) ? noValue : value;
}

/** The values that a query asks for. */
export function readValueParts(query: Partial<Pick<RequestFilters, (typeof valueFilters)[ValuePart]['parameter']>>): ValueParts {
  const parts: ValueParts = {};
  for (const part of valueParts) parts[part] = query[valueFilters[part].parameter]?.map(toColumn);
  return parts;
}

import { holdsAny } from '@switchyard/contract/permissions';
import { parseListQuery, type ListSchema } from '../shared/listing/list-query.ts';
import type { AnyQuery } from '../shared/listing/filter.ts';
import { paths } from '../shared/paths.ts';
import { stringifySearch } from '../shared/search-codec.ts';

/** Names of the values in their menu. */
export const valueNouns = {
  app: 'app',
  stream: 'stream',
  ip: 'IP',
  country: 'country',
  client: 'client uid',
  type: 'type',
  bot: 'label',
  asn: 'ASN',
  uid: 'uid',
  campaign: 'campaign',
  push: 'push id',
  conversion: 'status conversion',
  status: 'status',
  vertical: 'vertical',
  buyer: 'buyer',
  server: 'server',
  day: 'day',
  week: 'week',
  month: 'month',
  weekday: 'weekday',
  hour: 'hour',
  date_hour: 'hour',
} as const;
export type ValueKind = keyof typeof valueNouns;

/** The parameters of a list that find the rows with a value, and those without it. */
export type ValueFilters<Query> = Partial<Record<ValueKind, { only: keyof Query & string; not?: keyof Query & string }>>;

type Page = { readonly label: string; readonly path: string };

/** Any of these permissions opens the pages of clients and addresses. */
function seesRequests(permissions: readonly string[]): boolean {
  return holdsAny(permissions, ['manager_app_all_requests', 'manager_app_requests']);
}

const pages: Partial<Record<ValueKind, (value: string, permissions: readonly string[]) => Page | null>> = {
  app: (id, permissions) =>
    /^[1-9]\d{0,8}$/.test(id) && holdsAny(permissions, ['manager_app_edit']) && holdsAny(permissions, ['manager_app_requests'])
      ? { label: 'Open requests of the app', path: paths.appEdit(Number(id), 'Event') }
      : null,
  ip: (ip, permissions) => (seesRequests(permissions) ? { label: 'Open address', path: paths.address(ip) } : null),
  // No address of a page can contain the two names of folders.
  client: (uid, permissions) =>
    seesRequests(permissions) && uid !== '.' && uid !== '..' ? { label: 'Open client', path: paths.client(uid) } : null,
  asn: (code, permissions) => (isBannable('asn', code, permissions) ? { label: 'Open in ASNs', path: paths.asns(`AS${code}`) } : null),
};

/** Whether the value is an autonomous system that the account may ban. */
export function isBannable(kind: ValueKind, value: string, permissions: readonly string[]): boolean {
  return kind === 'asn' && /^\d+$/.test(value) && holdsAny(permissions, ['manager_settings_asns']);
}

/** The page of a value; null where there is none or the account may not open it. */
export function valuePage(kind: ValueKind, value: string, permissions: readonly string[]): Page | null {
  return pages[kind]?.(value, permissions) ?? null;
}

type Place = { schema: ListSchema; filters: ValueFilters<AnyQuery>; search: string };

/**
 * The changes of a list's query that leave the rows with a value, or those without it. A change is undefined where the list
 * has no such filter, the filter does not take the value, or it has it already.
 */
export function valueChanges({ schema, filters, search }: Place, kind: ValueKind, value: string): { only?: AnyQuery; not?: AnyQuery } {
  const parameters = filters[kind];
  if (parameters === undefined) return {};
  const { only, not } = parameters;
  const query = parseListQuery(schema, search);
  const wantedValue = readValue(schema, only, value);
  const excludedValue = not === undefined ? undefined : readValue(schema, not, value);
  const isOnly = JSON.stringify(query[only]) === JSON.stringify(wantedValue);
  return {
    ...(wantedValue !== undefined &&
      !isOnly && { only: { [only]: wantedValue, ...(not !== undefined && { [not]: without(query[not], value) }) } }),
    ...(excludedValue !== undefined &&
      not !== undefined && { not: { [not]: [...listOf(query[not]), ...listOf(excludedValue)], [only]: without(query[only], value) } }),
  };
}

/** The value as a parameter reads it; undefined where the parameter does not take it as one value. */
function readValue(schema: ListSchema, parameter: string, value: string): unknown {
  const parsedValue = parseListQuery(schema, stringifySearch({ [parameter]: value }))[parameter];
  return Array.isArray(parsedValue) && parsedValue.length !== 1 ? undefined : parsedValue;
}

/** A parameter's value without one that the opposite filter gets, so that the two never contradict each other. */
function without(values: unknown, value: string): unknown {
  if (!Array.isArray(values)) return values === value ? undefined : values;
  const rest = values.filter((other) => other !== value);
  return rest.length === 0 ? undefined : rest;
}

function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

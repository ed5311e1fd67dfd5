import { type kindMeasures, readKindMeasure } from './kind-measures.ts';
import {
  isPayout,
  ratioColumn,
  ratioOf,
  type RatioQuery,
  type Report,
  type ReportMeasure,
  reportMeasures,
  typeOfMeasure,
} from './reports.ts';
import { ownTypeName } from './requests.ts';

const ownNames: Partial<Record<ReportMeasure, string>> = {
  requests: 'Requests',
  requests_success: 'Successes',
  success_share: 'Success share',
  bots: 'Bots',
  bot_share: 'Bot share',
  error_share: 'Error share',
  receive_to_create: 'Receive to create ratio',
  pushes: 'Pushes',
  pushes_success: 'Pushes, successful',
  pushes_by_status: 'Pushes by status',
  conversions: 'Conversions',
  conversions_success: 'Conversions, successful',
  conversions_valid: 'Conversions, valid',
  conversions_by_status: 'Conversions by status',
  create_to_conversion: 'Create to conversion ratio',
  push_to_conversion: 'Push to conversion ratio',
  payout: 'Payout',
  payout_valid: 'Payout, valid',
  payout_per_create: 'Payout per create',
  payout_per_thousand: 'Payout per 1,000 requests',
};

const namesOfKind = {
  conversions_of: (kind) => `Conversions of ${kind}`,
  conversions_valid_of: (kind) => `Valid conversions of ${kind}`,
  payout_of: (kind) => `Payout of ${kind}`,
  payout_valid_of: (kind) => `Valid payout of ${kind}`,
  create_to: (kind) => `Create to ${kind} ratio`,
  payout_per_create_of: (kind) => `Payout per create of ${kind}`,
  payout_per_thousand_of: (kind) => `Payout per 1,000 requests of ${kind}`,
} as const satisfies Readonly<Record<(typeof kindMeasures)[number], (kind: string) => string>>;

/** The name of a measure in its picker. */
export function measureName(measure: ReportMeasure): string {
  const ofKind = readKindMeasure(measure);
  if (ofKind !== null) return namesOfKind[ofKind.name](ofKind.kind);
  const own = ownNames[measure];
  if (own !== undefined) return own;
  const type = typeOfMeasure(measure);
  if (type === null) return measure;
  return measure === type ? `Requests: ${ownTypeName(type)}` : `Successes: ${type}`;
}

const ratioPrefix = ratioColumn('');

/** The measure that a column shows, and the status where it shows one of them. */
export function measureOfColumn(column: string): { measure: ReportMeasure | undefined; status: string | null } {
  if (column.startsWith(ratioPrefix)) return { measure: undefined, status: null };
  const ofKind = readKindMeasure(column);
  if (ofKind !== null) return { measure: ofKind.measure, status: null };
  const colon = column.indexOf(':');
  const name = colon === -1 ? column : `${column.slice(0, colon)}_by_status`;
  return { measure: reportMeasures.find((one) => one === name), status: colon === -1 ? null : column.slice(colon + 1) };
}

/** The header of a column in a report. */
export function columnName(column: string, { currency }: Pick<Report, 'currency'> = {}): string {
  return currency !== undefined && column.startsWith('payout') ? `${ownColumnName(column)}, ${currency}` : ownColumnName(column);
}

function ownColumnName(column: string): string {
  const { measure, status } = measureOfColumn(column);
  if (measure === undefined) return column.startsWith(ratioPrefix) ? column.slice(ratioPrefix.length) : column;
  if (status === null) return measureName(measure);
  return `${measure === 'pushes_by_status' ? 'Pushes' : 'Conversions'}: ${status === '' ? 'none' : status}`;
}

/** How values are written: as a number, a share, or an amount with two decimals. */
export type ValueForm = 'count' | 'share' | 'amount';

/** How the values of a column are written. */
export function formOf(column: string, query: RatioQuery): ValueForm {
  const ratio = ratioOf(column, query);
  if (ratio !== null) return isPayout(ratio.part) || ratio.times !== 1 ? 'amount' : 'share';
  return isPayout(column) ? 'amount' : 'count';
}

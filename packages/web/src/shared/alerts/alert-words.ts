import * as alerts from '@switchyard/contract/alerts';
import type { AlertKind, AlertSeverity, Incident, IncidentState } from '@switchyard/contract/alerts';
import { capitalised } from '@switchyard/contract/text-fields';
import { groupedNumber } from '../ui/text-format.ts';

/** The name of each kind of rule, and what it watches. */
export const kindWords: Readonly<Record<AlertKind, { name: string; help: string }>> = {
  domain_expiry: { name: 'Domain expires', help: "An app's domain has expired or expires within this many days." },
  certificate_expiry: {
    name: 'Certificate expires',
    help: "An app's certificate on a server has expired or expires within this many days.",
  },
  link_failed: { name: 'Link failed', help: 'A domain could not be added to a server, bound on it, or got no certificate.' },
  server_silent: { name: 'Server silent', help: 'A traffic server with a token has not called for this many minutes.' },
  app_silent: {
    name: 'App without traffic',
    help: 'An app had no requests for this many whole hours, although it had some in the hours to compare with.',
  },
  error_share: { name: 'Share of errors', help: "Share of an app's requests with an error." },
  bot_share: { name: 'Share of bots', help: "Share of an app's requests with a bot label." },
  create_drop: { name: 'Creates dropped', help: "An app's requests of type create fell." },
  conversion_drop: { name: 'Conversions dropped', help: "An app's conversions fell." },
  payout_drop: {
    name: 'Payout dropped',
    help: "An app's payout of the last whole day (server time) fell compared with an earlier day.",
  },
  ban_list_changed: { name: 'Bans changed', help: 'Changes of the black list and of bans of ASNs in the last hour.' },
  job_failed: { name: 'Background jobs failed', help: 'Background jobs that failed for good in the last hour.' },
  seal_problem: { name: 'Activity seal', help: 'The seals of the activity do not match its entries, or cannot be checked.' },
  log_disk: { name: 'Log disk space', help: 'Free space on the disk that holds the logs.' },
};

/** The windows that a rule can compare its own with. */
export const comparisonNames: Readonly<Record<alerts.Comparison, string>> = {
  before: 'The time before',
  yesterday: 'Yesterday',
  last_week: 'Last week',
};

/** The length of a window: `1 hour`. */
export function windowName(minutes: number): string {
  return minutes === 60 ? '1 hour' : alerts.windowText(minutes);
}

/** The measure of a rule of traffic in words: `Last 3 hours, from 30 on, compared with last week`. */
export function measureText({ window_minutes: minutes, minimum, comparison }: alerts.Measure): string | null {
  if (minimum === null) return null;
  const parts = [
    ...(minutes === null ? [] : [`last ${alerts.windowText(minutes)}`]),
    `at least ${groupedNumber(minimum)}`,
    ...(comparison === null ? [] : [`compared with ${comparisonNames[comparison].toLowerCase()}`]),
  ];
  return capitalised(parts.join(', '));
}

export const severityNames: Readonly<Record<AlertSeverity, string>> = { critical: 'Critical', warning: 'Warning', info: 'Info' };

export const stateNames: Readonly<Record<IncidentState, string>> = {
  firing: 'Firing',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
};

const fraction = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

const formatted = (value: number): string => (Number.isInteger(value) ? groupedNumber(value) : fraction.format(value));

/** A value with the unit of its kind: `20%`, `1 day`. */
export function amountText(kind: AlertKind, value: number): string {
  return alerts.amountText(kind, value, formatted);
}

/** When a rule fires: `20% or more`; null for kinds without a threshold. */
export function thresholdText(kind: AlertKind, threshold: number | null): string | null {
  return alerts.thresholdText(kind, threshold, formatted);
}

/** How many things an incident is about, with the names that are known: `edge-1, edge-2 and 3 more`. */
export function affectedText({ affected, names }: Pick<Incident, 'affected' | 'names'>): string {
  const rest = affected - names.length;
  if (names.length === 0) return affected === 0 ? '-' : groupedNumber(affected);
  return rest > 0 ? `${names.join(', ')} and ${groupedNumber(rest)} more` : names.join(', ');
}

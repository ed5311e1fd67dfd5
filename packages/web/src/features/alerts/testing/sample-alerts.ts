import type { AlertRule, Incident, RulePreview } from '@switchyard/contract/alerts';

/** A domain that expires, and that nobody has acknowledged. */
export const sampleIncident: Incident = {
  id: 7,
  rule: { id: 3, name: 'Domains', kind: 'domain_expiry' },
  severity: 'critical',
  state: 'firing',
  app: { id: 12, name: 'Lucky Bet' },
  server: null,
  affected: 1,
  names: ['lucky-bet.example'],
  value: 2,
  threshold: 7,
  reason: 'The domain lucky-bet.example expires in 2 days.',
  window: null,
  compared: null,
  request_filter: '',
  is_silenced: false,
  started_at: '2026-11-20 10:00:00',
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
};

/** A rule that is switched on, for all apps and channels. */
export const sampleRule: AlertRule = {
  id: 3,
  name: 'Domains',
  kind: 'domain_expiry',
  threshold: 7,
  scope: { apps: 'all', verticals: [], app_ids: [] },
  pending_minutes: 0,
  request_filter: '',
  window_minutes: null,
  minimum: null,
  comparison: null,
  hold_minutes: 0,
  further_thresholds: [],
  reminder_minutes: 0,
  severity: 'critical',
  is_on: true,
  channel_ids: null,
  unheard: null,
  owner: null,
  open_incidents: 1,
  evaluated_at: '2026-11-20 12:00:00',
  created_at: '2026-01-01 00:00:00',
  updated_at: '2026-01-01 00:00:00',
  version: 1,
};

/** A share of errors that was too high for an hour. */
export const samplePreview: RulePreview = {
  repeats: [],
  threshold: 20,
  points: [
    { at: '2026-11-20 10:00:00', value: 5, subject: 'Lucky Bet' },
    { at: '2026-11-20 11:00:00', value: 30.5, subject: 'Lucky Bet' },
    { at: '2026-11-20 12:00:00', value: null, subject: null },
  ],
  firings: [{ subject: 'Lucky Bet', from: '2026-11-20 11:00:00', until: '2026-11-20 12:00:00' }],
  firing_total: 1,
  subjects: [{ id: 12, name: 'Lucky Bet', value: 30.5, fires: true }],
  subject_total: 1,
  days: 30,
};

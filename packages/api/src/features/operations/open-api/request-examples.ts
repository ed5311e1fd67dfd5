/**
 * Bodies that show what is best sent, by the number of the call, where an example of every field at once would mislead: fields under
 * two names, alternatives, and what is left out as a rule.
 */
export const requestExamples: Readonly<Record<number, unknown>> = {
  12: {
    name: 'Acme Bet',
    bundle: 'com.acme.bet',
    domain: 'acme-bet.example',
    vertical: 'bet',
    keys: { createApfDevKey: 'dK9' },
    userIds: [31],
  },
  14: { name: 'Acme Bet', response_mode: 'custom', response_message: { static: { type: 'json', code: 200, response: '{}' } } },
  38: { name: 'Traffic reviewer', permission_ids: [3, 6, 22], panel: 'manager' },
  40: { name: 'Traffic reviewer', permission_ids: [3, 6, 22] },
  47: {
    name: 'Pavel Manager',
    email: 'pavel@example.com',
    password: 'Str0ngPassw0rd',
    has_access: true,
    roles: ['App Manager'],
    appIds: [],
    isQa: false,
  },
  49: { name: 'Pavel Manager', roles: ['App Manager'], appIds: [12] },
  51: { hasAccess: false },
  57: {
    name: 'Ivan Buyer',
    email: 'ivan@example.com',
    password: 'Str0ngPassw0rd',
    has_access: true,
    roles: ['Buyer'],
    app_ids: [12],
  },
  59: { name: 'Ivan Buyer', roles: ['Buyer'], app_ids: [12] },
  61: { hasAccess: false },
  67: { name: 'edge-fra-1', region: 'eu-central' },
  70: { data: { gaid: '7c1e', sub1: 'campaign-1' } },
  85: { isBanCreate: true },
  90: {
    events: [
      {
        id: '01936b0e-7c1e-7a52-9f0b-3c5d2e7a9b10',
        bundle: 'com.acme.bet',
        type: 'create',
        date: '2026-11-20T10:11:12.345678Z',
        ip: '203.0.113.9',
        client_uid: 'c-88a1',
        stream_uid: 'st_7f21',
        bot: 'CF L1',
        user_agent: 'Mozilla/5.0',
        body_request: { gaid: '7c1e' },
        postbacks_domain: 'pb.example.com',
      },
    ],
  },
  91: { pushes: [{ bundle: 'com.acme.bet', push_id: 'p-1001', push_name: 'Welcome', send_at: '2026-11-20T10:00:00Z', status: 'success' }] },
  92: {
    conversions: [
      { bundle: 'com.acme.bet', client_uid: 'c-88a1', status_conversion: 'deposit', payout: 12.5, created_at: '2026-11-20T10:11:12Z' },
    ],
  },
  93: {
    streams: [
      {
        bundle: 'com.acme.bet',
        uid: 'st_7f21',
        name: 'DE organic',
        buyer_email: 'ivan@example.com',
        rules: { country: ['DE', 'AT'] },
        created_at: '2026-10-01T00:00:00Z',
        updated_at: '2026-10-05T00:00:00Z',
      },
    ],
  },
  153: { list: 'requests', name: 'Errors in DE', query: 'type=error&geo=DE', sharing: 'private' },
  154: { name: 'Errors in Germany', sharing: 'everyone' },
  156: { list: 'requests', id: null },
  165: { challenge: 'pX7cQ2nV9rT4bK8mZ1sW6yLd', code: '287082' },
  188: { name: 'Deployment', permission_ids: [3, 6], app_ids: [12], networks: ['203.0.113.0/24'], expires_in_days: 90 },
  191: { name: 'Nightly report', permission_ids: [6, 7], has_all_apps: true, expires_in_days: null },
  192: { networks: ['203.0.113.0/24'] },
  177: { password: 'Str0ngPassw0rd' },
  301: { name: 'Duty', target: { kind: 'webhook', url: 'https://hooks.example/duty' }, minimum_severity: 'warning' },
  303: { target: { kind: 'webhook', url: 'https://hooks.example/night' }, per_hour: 20 },
  341: { name: 'Morning', view_id: 9, interval: 'week', weekday: 1, hour: 8, recipient_ids: [7] },
  343: { hour: 9, recipient_ids: [7, 8] },
};

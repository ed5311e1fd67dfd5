import type { AuditRow } from '@switchyard/contract/audit';

/** A change of an app as the API gives it. */
export const sampleRow: AuditRow = {
  id: 9001,
  at: '2026-11-20 10:11:12',
  actor: { id: 7, name: 'Olga Petrova', email: 'olga@example.com' },
  action: 'update',
  entity: 'app',
  entity_id: '12',
  entity_label: 'Acme Bet',
  ip: '198.51.100.4',
  request_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  via: null,
  changes: [
    { field: 'domain', from: 'acme.example', to: 'acme-bet.example' },
    { field: 'userIds', from: [31, 33], to: [33, 40] },
    { field: 'keys.apiSecret', from: null, to: null },
  ],
};

/** Three changes, newest first: of an app, of a buyer who has no name here, and a failed sign-in. */
export const sampleRows: readonly AuditRow[] = [
  sampleRow,
  {
    ...sampleRow,
    id: 9000,
    actor: { id: 40, name: 'Ivan Marsh', email: 'ivan@example.com' },
    action: 'switch_access',
    entity: 'buyer',
    entity_id: '40',
    entity_label: 'Ivan Marsh',
    changes: [{ field: 'hasAccess', from: true, to: false }],
  },
  {
    ...sampleRow,
    id: 8999,
    actor: null,
    action: 'login_failed',
    entity: 'session',
    entity_id: null,
    entity_label: 'who@example.com',
    changes: [],
  },
];

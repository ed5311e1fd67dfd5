import type { FullApp } from '@switchyard/contract/app-form';
import type { PickedBuyer } from '@switchyard/contract/pick-lists';

/** Buyers that the test server offers. */
export const pickedBuyers: readonly PickedBuyer[] = [
  { id: 31, name: 'Ivan Marsh', email: 'ivan@x.y', role: 'B', has_access: true },
  { id: 32, name: 'Quinn Ames', email: 'quinn@x.y', role: 'QA', has_access: false },
  { id: 33, name: 'Sam Boyd', email: 'sam@x.y', role: 'SB', has_access: true },
  { id: 34, name: 'Uma Ray', email: 'uma@x.y', role: 'B, QA', has_access: true },
];

const counter = { all: 0, success: 0 };
const counters = { create: counter, receive: counter, push: counter, conversion: counter, bots: counter };

/** An app that says something other than the default in every field. */
export const sampleApp: FullApp = {
  id: 12,
  name: 'Acme Bet',
  bundle: 'com.acme.bet',
  domain: 'acme-bet.example',
  label: 'Acme Bet (com.acme.bet)',
  vertical: 'finance',
  expiration_at: null,
  deleted_at: null,
  white_user_agent: 'Acme/1.0 (inner spaces)',
  keys: { createApfDevKey: 'dK9', firebaseAppId: '1:2:web', apiSecret: 's3cret' },
  conversion_api_type: 'google_analytics',
  buyers: [
    { id: 33, name: 'Sam Boyd', email: 'sam@x.y', role: 'SB', has_access: true },
    { id: 31, name: 'Ivan Marsh', email: 'ivan@x.y', role: 'B', has_access: true },
  ],
  check_domains: [],
  firebase_settings: null,
  monitoring: null,
  users_count: 2,
  statistics: { all: { today: counters, all_time: counters }, qa: counters },
  app_mode: 'push_only',
  response_mode: 'custom',
  response_message: {
    static: { type: 'html', code: 404, response: '<p>none</p>' },
    create: { type: 'text', code: 201, response: 'made' },
    receive: { type: 'random', code: 302, response: 'https://offer.example/x' },
  },
  proxy_api_url: 'https://proxy.example',
  static_response_path: '/s',
  proxy_cache_seconds: 3_600,
  cloak_mode: 'custom',
  adspect_cloak: '0f8fad5b-d9cb-469f-a165-70867728950e',
  has_clients: true,
  created_at: '2026-01-05 09:00:00',
  updated_at: '2026-11-01 12:00:00',
  version: 4,
};

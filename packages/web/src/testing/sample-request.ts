import type { RequestRow } from '@switchyard/contract/requests';

/** A request with the given id, and nothing remarkable about it. */
export function sampleRequest(id: number): RequestRow {
  return {
    id,
    uuid: `01936b0e-7c1e-7a52-9f0b-${String(id).padStart(12, '0')}`,
    app_id: 12,
    app_bundle: 'com.acme.bet',
    stream: null,
    client_uid: `c-${id}`,
    ip: '203.0.113.9',
    country: 'DE',
    bot: '',
    date: '2026-11-20 10:11:12',
    concatenated_date: '2026-11-20 10:11:12.345678',
    type: 'create',
    postbacks_domain: 'pb.example.com',
    has_body: true,
    has_response: false,
    has_error: false,
    has_additional_data: false,
    has_user_agent: false,
    user_agent: null,
    body_request: { gaid: '7c1e' },
    body_response: null,
    error: null,
    additional_data: null,
  };
}

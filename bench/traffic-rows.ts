import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import type { NewRequest } from '../packages/api/src/traffic-store/traffic-store.ts';
import { requestTypes } from '@switchyard/contract/requests';
import { busyApps } from './load-events.ts';
import { countryAt, typeAt } from './traffic-shape.ts';

/** A row as a traffic server sends it, of the same shape and size as the loaded ones. */
export function wireRow(at: Microseconds) {
  const app = 1 + Math.floor(busyApps * Math.random() ** 2);
  const stream = Math.floor(Math.random() * 6);
  const isBot = Math.random() < 0.05;
  return {
    id: randomUUIDv7(),
    bundle: `com.bench.app${app}`,
    type: typeAt(Math.random()),
    date: `${formatMicroseconds(at).replace(' ', 'T')}Z`,
    ip: [1 + Math.floor(Math.random() * 200), ...randomBytes(3)].join('.'),
    client_uid: `c-${randomBytes(4).toString('hex')}`,
    stream_uid: stream === 0 ? null : `st_${app}_${stream}`,
    country: countryAt(Math.random()),
    bot: isBot ? 'L1 BOT' : '',
    user_agent: 'Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    body_request: { gaid: randomUUID(), device: 'SM-A546B', os: 'android 14', lang: 'de', sub1: randomBytes(16).toString('hex'), sub2: 17 },
    body_response: { url: `https://offer.example/${randomBytes(16).toString('hex')}`, code: 200 },
    error: Math.random() < 0.03 ? { exception_type: 'Notice', message: 'Undefined index: sub1' } : null,
    postbacks_domain: Math.random() < 0.08 ? '' : 'pb.bench.example',
    is_qa: Math.random() < 0.01,
  };
}

/** The same row as the traffic store takes it after ingestion has judged it. */
export function storedRow(at: Microseconds): NewRequest {
  const row = wireRow(at);
  return {
    uuid: row.id,
    appId: Number(row.bundle.slice('com.bench.app'.length)),
    type: requestTypes.find((type) => type === row.type) ?? 'error',
    occurredAt: at,
    ip: row.ip,
    clientUid: row.client_uid,
    streamUid: row.stream_uid,
    country: row.country,
    bot: row.bot,
    userAgent: row.user_agent,
    bodyRequest: row.body_request,
    bodyResponse: row.body_response,
    additionalData: null,
    error: row.error,
    postbacksDomain: row.postbacks_domain,
    isQa: row.is_qa,
  };
}

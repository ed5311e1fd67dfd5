import { formatMicroseconds, type Microseconds } from '@switchyard/contract/dates';
import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import { sampleEvent } from '../../packages/api/test/sample-event.ts';
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

/** A row as the traffic store takes it after ingestion has validated it. */
export function storedRow(at: Microseconds): NewEvent {
  const { id, bundle, type: typeName, stream_uid: stream, ...row } = wireRow(at);
  return sampleEvent({
    ...row,
    uuid: id,
    app_id: Number(bundle.slice('com.bench.app'.length)),
    type: requestTypes.find((type) => type === typeName) ?? 'error',
    occurred_at: at,
    stream_uid: stream ?? '',
  });
}

import fc from 'fast-check';
import { randomUUIDv7 } from 'node:crypto';
import type { NewConversion, NewPush } from '@switchyard/traffic-store/delivery-store';
import { testEpoch } from './arbitrary-events.ts';

const day = 86_400_000_000;
const few = Array.from({ length: 12 }, (_, index) => `01936b0e-7c1e-7a52-9f0b-${String(index).padStart(12, '0')}`);
const instant = fc.oneof(
  fc.integer({ min: testEpoch - 6 * day, max: testEpoch + 6 * day }),
  fc.constantFrom(testEpoch, testEpoch - 1, testEpoch + day),
);
const uid = fc.constantFrom(null, 'u-1', 'U-10', 'u_1', 'u%2', 'u\\3', 'Ünicode', '12', 'x'.repeat(128));

/** Pushes of few apps. `uuid` is one of twelve if the same push is meant to come again. */
export function arbitraryPush(identities: 'few' | 'many'): fc.Arbitrary<NewPush> {
  return fc
    .record({
      uuid: identities === 'few' ? fc.constantFrom(...few) : fc.uuid(),
      appId: fc.constantFrom(1, 2, 3),
      pushId: fc.constantFrom('p-1001', 'P-1001', 'p_1', '7', '100%', 'welcome'),
      name: fc.constant(''),
      message: fc.constant('{"notification":{"title":"Hi"}}'),
      uid,
      clientUid: uid,
      campaignUid: fc.constantFrom(null, 'pc-7', 'PC-8', 'pc_9', 'Ü-77'),
      sendAt: instant,
      status: fc.constantFrom('pending', 'sent', 'success', 'error', 'held'),
      error: fc.constantFrom(null, 'boom'),
      updatedAt: fc.integer({ min: testEpoch, max: testEpoch + 5 }),
    })
    .map((push) => ({ ...push, name: `as of ${push.updatedAt}` }));
}

/** Conversions of few apps. Their identities are few if the same conversion is meant to come again. */
export function arbitraryConversion(identities: 'few' | 'many'): fc.Arbitrary<NewConversion> {
  return fc.record({
    uuid: identities === 'few' ? fc.constantFrom(...few) : fc.uuid(),
    appId: fc.constantFrom(1, 2, 3),
    source: fc.constantFrom('', 'appsflyer'),
    clientUid: uid,
    streamUid: fc.constantFrom(null, 'st_1', 'st_10', 'ST-2'),
    clickId: fc.constant('clk-1'),
    receiveApfUid: fc.constant(null),
    appInstanceId: fc.constant(null),
    statusConversion: fc.constantFrom('install', 'deposit', 'lead'),
    payout: fc.constantFrom(null, '12.5', '-0.0001', '999999999999'),
    status: fc.constantFrom('success', 'error', 'duplicate', 'held'),
    error: fc.constantFrom(null, 'boom'),
    isSend: fc.boolean(),
    isQa: fc.boolean(),
    createdAt: identities === 'few' ? fc.constantFrom(testEpoch, testEpoch + 1, testEpoch + day) : instant,
  });
}

/** A conversion of app 1 at the epoch, new at each call. */
export function sampleConversion(values: Partial<NewConversion>): NewConversion {
  return {
    uuid: randomUUIDv7(),
    appId: 1,
    source: '',
    clientUid: null,
    streamUid: null,
    clickId: null,
    receiveApfUid: null,
    appInstanceId: null,
    statusConversion: 'install',
    payout: null,
    status: 'success',
    error: null,
    isSend: false,
    isQa: false,
    createdAt: testEpoch,
    ...values,
  };
}

/** A push of app 1 at the epoch, new at each call. */
export function samplePush(values: Partial<NewPush>): NewPush {
  return {
    uuid: randomUUIDv7(),
    appId: 1,
    pushId: 'p-1',
    name: '',
    message: '',
    uid: null,
    clientUid: null,
    campaignUid: null,
    sendAt: testEpoch,
    status: 'sent',
    error: null,
    updatedAt: testEpoch,
    ...values,
  };
}

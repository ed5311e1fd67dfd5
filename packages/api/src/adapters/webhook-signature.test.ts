import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { randomSigningSecret, signingKey, signWebhook } from './webhook-signature.ts';

describe('signWebhook', () => {
  it('[CHAN-003] gives the published signature of Standard Webhooks', () => {
    const keys = [signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')];
    const at = new Date(1_614_265_330_000);
    expect(signWebhook({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at, body: '{"test": 2432232314}', keys })).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('[CHAN-003] signs with every key, with a space between the signatures', () => {
    const secrets = [randomSigningSecret(), randomSigningSecret()];
    const headers = signWebhook({ id: 'a', at: new Date(1500), body: 'b', keys: secrets.map(signingKey) });
    const expected = secrets.map(
      (secret) =>
        `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update('a.1.b')
          .digest('base64')}`,
    );
    expect(headers['webhook-signature']).toBe(expected.join(' '));
    expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Set(secrets).size).toBe(2);
  });
});

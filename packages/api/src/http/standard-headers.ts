import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';

/** Content security policy of everything except pages: nothing is allowed (api 0.1). */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Browser features that the console does not use. */
const unusedFeatures = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
];

/** Headers of every response, whatever its status (api 0.1). Pages replace the content security policy. */
export const standardHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': dataPolicy,
  // A page of another origin that opened this one gets no reference to its window.
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
} as const;

/**
 * Headers of every response over HTTPS: for a year after a visit, browsers use nothing but HTTPS (ASVS 3.4.1). Names below
 * the console's may belong to other services, for which it does not decide.
 */
export const transportHeaders = { 'strict-transport-security': 'max-age=31536000' } as const;

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/** The id that the client sent if it is safe in logs and headers, otherwise a new UUID (api 0.1). */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sentId = request.headers['x-request-id'];
  return typeof sentId === 'string' && acceptable.test(sentId) ? sentId : randomUUID();
}

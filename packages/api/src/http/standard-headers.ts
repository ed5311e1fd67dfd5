import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';

/** What a body outside HTML may do in a browser: nothing (api 0.1). */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Features of a browser that no page of the console needs (S44). */
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

/** Headers of every answer, whatever its status (api 0.1, S31); pages replace the policy by their own. */
export const standardHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': dataPolicy,
  // A page of another origin that opened this one gets no handle on it.
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
} as const;

/**
 * Headers of every answer where the console is reached over https: a year from its last visit a browser asks for it in no other way (ASVS 3.4.1, S31).
 */
export const transportHeaders = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const;

/** Whether more than one Host header was sent: proxies differ in which of them they read (RFC 9112 3.2, S44). */
export function repeatsHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length > 1;
}

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/** The request's own id when it is one that may stand in logs and headers, otherwise a new UUID (api 0.1). */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && acceptable.test(sent) ? sent : randomUUID();
}

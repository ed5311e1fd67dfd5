import type { CheckDomain } from '@switchyard/contract/apps';
import { DateError, parseDateTime } from '@switchyard/contract/dates';
import { domainExpiryHours } from '@switchyard/contract/limits';
import { certificateExpiryHours } from '../../shared/ui/display-limits.ts';

/** How long a domain or certificate still holds. */
export type ExpiryTone = 'success' | 'warning' | 'danger';

/** State of a domain's binding to a traffic server. */
export type BindTone = 'success' | 'danger' | 'info';

/** Hours from now to a date of the wire; null when it is missing or unreadable. */
function hoursAhead(at: string | null, now: Date): number | null {
  if (at === null) return null;
  try {
    return (parseDateTime(at) / 1000 - now.getTime()) / 3_600_000;
  } catch (error) {
    if (error instanceof DateError) return null;
    throw error;
  }
}

function expiryTone(at: string | null, now: Date, warningHours: number): ExpiryTone {
  const hours = hoursAhead(at, now);
  if (hours === null || hours < 0) return 'danger';
  return hours < warningHours ? 'warning' : 'success';
}

/** Colour of a domain: missing or past is danger, less than 168 hours ahead warning. */
export function domainTone(expirationAt: string | null, now: Date): ExpiryTone {
  return expiryTone(expirationAt, now, domainExpiryHours);
}

/** Colour of a certificate: missing or past is danger, less than 336 hours ahead warning. */
export function sslTone(sslAt: string | null, now: Date): ExpiryTone {
  return expiryTone(sslAt, now, certificateExpiryHours);
}

/** Colour of a binding: info until the traffic server is added, then success or danger. */
export function bindTone(link: Pick<CheckDomain, 'is_bind' | 'status'>): BindTone {
  if (link.is_bind) return 'success';
  return link.status === 'add' ? 'info' : 'danger';
}

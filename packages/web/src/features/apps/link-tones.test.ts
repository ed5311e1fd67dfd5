import { formatDateTime } from '@switchyard/contract/dates';
import { describe, expect, it } from 'vitest';
import { bindTone, domainTone, sslTone } from './link-tones.ts';

const now = new Date('2026-11-20T12:00:00Z');
const inHours = (hours: number) => formatDateTime((now.getTime() + hours * 3_600_000) * 1000);
const second = 1 / 3600;

describe('expiry of domains', () => {
  it.each([
    ['APPS-048', null, 'danger'],
    ['APPS-048', 'not a date', 'danger'],
    ['APPS-048', inHours(-second), 'danger'],
    ['APPS-049', inHours(second), 'warning'],
    ['APPS-049', inHours(168 - second), 'warning'],
    ['APPS-050', inHours(168), 'success'],
    ['APPS-050', inHours(5000), 'success'],
  ])('[%s, CONST-005, AMB-053] shows %s as %s', (_id, at, tone) => {
    expect(domainTone(at, now)).toBe(tone);
  });
});

describe('expiry of certificates', () => {
  it.each([
    ['APPS-051', null, 'danger'],
    ['APPS-051', inHours(-second), 'danger'],
    ['APPS-052', inHours(0), 'warning'],
    ['APPS-052', inHours(336 - second), 'warning'],
    ['APPS-053', inHours(336), 'success'],
  ])('[%s, CONST-004, AMB-052] shows %s as %s', (_id, at, tone) => {
    expect(sslTone(at, now)).toBe(tone);
  });
});

describe('binding', () => {
  it('[APPS-054] is success when bound, else danger', () => {
    expect(bindTone({ is_bind: true, status: 'ok' })).toBe('success');
    expect(bindTone({ is_bind: false, status: 'err_bind' })).toBe('danger');
    expect(bindTone({ is_bind: false, status: 'err_add' })).toBe('danger');
  });

  it('[APPS-055] is info until the traffic server is added', () => {
    expect(bindTone({ is_bind: false, status: 'add' })).toBe('info');
  });
});

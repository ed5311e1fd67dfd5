import { describe, expect, it } from 'vitest';
import { isDatabaseRejection, isDatabaseUnavailable, isReadTimeout, isStatementTimeout, isStorageFull } from './database-errors.ts';

const errorWith = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('errors of the database', () => {
  const tls = ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'];
  const network = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH'];
  it.each([...network, ...tls, '57P01', '57P02', '57P03', '08006', '53300'])(
    'takes %s for an unreachable database, which is tried again later',
    (code) => {
      expect(isDatabaseUnavailable(errorWith(code))).toBe(true);
      expect(isStorageFull(errorWith(code))).toBe(false);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'The server does not support SSL connections',
    'Cannot use a pool after calling end on the pool',
    'Postgres connection has been discarded',
  ])('knows the driver’s own words: %s', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  it('finds the cause inside, also among the tries of several addresses', () => {
    expect(isDatabaseUnavailable(new Error('outer', { cause: errorWith('ECONNRESET') }))).toBe(true);
    expect(isDatabaseUnavailable(new AggregateError([errorWith('ECONNREFUSED'), errorWith('ECONNREFUSED')]))).toBe(true);
    const loop: { cause?: unknown } = {};
    loop.cause = loop;
    expect(isDatabaseUnavailable(loop)).toBe(false);
  });

  it.each([errorWith('23505'), errorWith('42601'), new Error('Connection is a word'), null, undefined, 'ECONNREFUSED', 7])(
    'leaves a fault of ours a fault: %s',
    (error) => {
      expect([isDatabaseUnavailable, isStorageFull, isStatementTimeout, isDatabaseRejection].some((test) => test(error))).toBe(false);
    },
  );

  it('distinguishes a full disk, a slow statement, a hung server and a refused connection', () => {
    expect(isStorageFull(errorWith('53100'))).toBe(true);
    expect(isStorageFull(errorWith('XX000', 'could not extend file "base/5/16384": File too large'))).toBe(true);
    expect(isStatementTimeout(errorWith('57014'))).toBe(true);
    expect(isStatementTimeout(errorWith('55P03'))).toBe(true);
    expect(isDatabaseUnavailable(errorWith('57014'))).toBe(false);
    expect(isReadTimeout(new Error('Query read timeout'))).toBe(true);
    expect(isDatabaseRejection(errorWith('28P01'))).toBe(true);
    expect(isDatabaseRejection(errorWith('3D000'))).toBe(true);
  });
});

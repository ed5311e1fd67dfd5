import { describe, expect, it } from 'vitest';
import { createPasswordHash } from './password-hash.ts';

const passwords = createPasswordHash();

describe('password hash', () => {
  it('[AUTH-001] stores argon2id with the agreed cost and another salt each time', async () => {
    const [first, second] = await Promise.all([passwords.hash('Abcdefgh1234'), passwords.hash('Abcdefgh1234')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(second).not.toBe(first);
  });

  it('[AUTH-001] accepts the password and nothing near it, however long', async () => {
    const long = 'Aa1'.repeat(40);
    const storedHash = await passwords.hash(long);
    expect(await passwords.matches(long, storedHash)).toBe(true);
    expect(await passwords.matches(`${long.slice(0, 80)}x${long.slice(81)}`, storedHash)).toBe(false);
    expect(await passwords.matches(long.slice(0, 72), storedHash)).toBe(false);
    expect(await passwords.matches('', storedHash)).toBe(false);
  });

  it('[NAME-007] hashes a password in NFC, and tries hashes of the text as typed', async () => {
    const decomposed = 'Cafe\u0301 1234567';
    const storedHash = await passwords.hash(decomposed);
    for (const text of [decomposed, decomposed.normalize('NFC')]) expect(await passwords.matches(text, storedHash)).toBe(true);
    // `passworde\u0301` as version 1.3 hashed it, in NFD.
    const asTyped = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$qh9WTH6UcDlZKbx9ZKI+6mmz8OC7GzqOdWItb4q4A0A';
    expect(await passwords.matches('passworde\u0301', asTyped)).toBe(true);
    expect(await passwords.matches('passwordé', asTyped)).toBe(false);
  });

  it('[AUTH-001] reads hashes of another cost', async () => {
    // From the test suite of the reference implementation (phc-winner-argon2, test.c).
    const weaker = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    expect(await passwords.matches('password', weaker)).toBe(true);
    expect(await passwords.matches('Password', weaker)).toBe(false);
  });

  it('[AUTH-001] an account without a password, or with something that is no hash, matches nothing', async () => {
    expect(await passwords.matches('', null)).toBe(false);
    expect(await passwords.matches('x', 'x')).toBe(false);
  });

  it('[AUTH-001] rejects when too many wait, and serves again afterwards', async () => {
    const narrow = createPasswordHash({ running: 1, waiting: 1 });
    const results = await Promise.allSettled([narrow.hash('a'), narrow.hash('b'), narrow.hash('c')]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({ reason: { status: 503, message: 'The server is busy, try again', retryAfter: 2 } });
    expect(await narrow.hash('d')).toContain('$argon2id$');
  });
});

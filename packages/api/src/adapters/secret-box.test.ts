import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox, UnreadableSecret, type SecretPlace } from './secret-box.ts';

const key = '5f2d9a7c41e80b36';
const place: SecretPlace = { table: 'apps', column: 'api_secret_sealed', id: 12 };

const places = fc.record({
  table: fc.constantFrom('apps', 'traffic_servers'),
  column: fc.constantFrom('hash_sealed', 'main_hash_sealed'),
  id: fc.integer({ min: 1, max: 999_999_999 }),
});

describe('secrets at rest', () => {
  it('[ENT-003] gives every secret back, whatever its text', () => {
    const box = createSecretBox([key]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), places, (secret, where) => {
        expect(box.open(box.seal(secret, where), where)).toBe(secret);
      }),
    );
  });

  it('stores a versioned text with the key id that holds nothing of the secret and differs each time', () => {
    const box = createSecretBox([key]);
    const first = box.seal('canary-secret', place);
    expect(first).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
    expect(first).not.toContain('canary');
    expect(Buffer.from(first.split('.')[3] ?? '', 'base64url').toString()).not.toContain('canary');
    expect(box.seal('canary-secret', place)).not.toBe(first);
  });

  it('opens in its own table, column and row only', () => {
    const box = createSecretBox([key]);
    fc.assert(
      fc.property(places, places, (from, to) => {
        fc.pre(from.table !== to.table || from.column !== to.column || from.id !== to.id);
        expect(() => box.open(box.seal('s3cret', from), to)).toThrow(UnreadableSecret);
      }),
    );
  });

  it('rejects a text in which any one byte was changed', () => {
    const box = createSecretBox([key]);
    const [version, keyId, nonce, body = ''] = box.seal('s3cret', place).split('.');
    const bytes = Buffer.from(body, 'base64url');
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (index, flip) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(index) ^ flip, index);
        expect(() => box.open([version, keyId, nonce, changed.toString('base64url')].join('.'), place)).toThrow(UnreadableSecret);
      }),
    );
  });

  it('rejects text that was never sealed', () => {
    const box = createSecretBox([key]);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => box.open(text, place)).toThrow(UnreadableSecret);
      }),
    );
  });

  it('still opens with an older key after rotation, and seals with the new one', () => {
    const sealed = createSecretBox([key]).seal('s3cret', place);
    const rotated = createSecretBox(['another-key-of-some-length', key]);
    expect(rotated.open(sealed, place)).toBe('s3cret');
    const anew = rotated.seal('s3cret', place);
    expect(anew.split('.')[1]).not.toBe(sealed.split('.')[1]);
    expect(() => createSecretBox([key]).open(anew, place)).toThrow('another key');
  });

  it('accepts no key that is short', () => {
    expect(() => createSecretBox(['short'])).toThrow('at least 16 characters');
  });
});

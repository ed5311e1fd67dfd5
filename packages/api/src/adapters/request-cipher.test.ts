import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { createCipheriv, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRequestCipher, deriveOwnRequestKey, UndecodableText } from './request-cipher.ts';

const page = readFileSync(new URL('../../../../docs/request-cipher.md', import.meta.url), 'utf8');
const requestKey = 'example request key, 32 characters!';
const cipher = createRequestCipher({ requestKey });
const vectors = [...page.matchAll(/^\| `[0-9a-f]{24}` \| `(.+)` \| `([\w+/=]+)` \|$/gm)].map(([, json = '', text = '']) => ({
  json,
  text,
}));

/** Text of the right form around any bytes. */
function sealedBytes(bytes: string | Buffer): string {
  const key = Buffer.from(hkdfSync('sha256', requestKey, '', 'switchyard request v1', 32));
  const nonce = Buffer.alloc(12, 7);
  const sealing = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from([1]));
  return Buffer.concat([Buffer.from([1]), nonce, sealing.update(bytes), sealing.final(), sealing.getAuthTag()]).toString('base64');
}

describe('encoded requests (AMB-154)', () => {
  it('[DEV-005, DEV-008] give every JSON value back, in another text each time', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = cipher.encode(value);
        expect(text).not.toBe(cipher.encode(value));
        expect(text).toMatch(/^A[Q-Za-f][A-Za-z0-9+/]+={0,2}$/);
        expect(cipher.decode(` \n${text}\t`)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('[DEV-008] are those of the documented vectors', () => {
    expect(vectors).toHaveLength(3);
    for (const { json, text } of vectors) expect(cipher.decode(text)).toEqual(JSON.parse(json));
  });

  it('[DEV-008] are read and written by the documented example', () => {
    const [, example = ''] = /```ts\n([\s\S]+?)```/.exec(page) ?? [];
    const output = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', example], { encoding: 'utf8' });
    expect(output).toBe('{"gaid":"7c1e"}\n{"gaid":"7c1e"}\n');
  });

  it('[API-065] do not open when a single bit of them was changed', () => {
    const bytes = Buffer.from(cipher.encode({ gaid: '7c1e' }), 'base64');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changedBytes = Buffer.from(bytes);
      changedBytes.writeUInt8(changedBytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => cipher.decode(changedBytes.toString('base64'))).toThrow(UndecodableText);
    }
  });

  it('[API-065] do not open in another spelling, cut, lengthened, or as any other text', () => {
    const text = vectors[0]?.text ?? '';
    const spellings = [
      text.replace('=', ''),
      `${text}=`,
      text.replaceAll('+', '-'),
      text.replace('Y=', 'Z='),
      `${text.slice(0, 8)}\n${text.slice(8)}`,
    ];
    for (const other of [...spellings, '', ' ', 'AQ==', text.slice(0, 40), text + text, `"${text}"`, 'x'.repeat(1_000_000)]) {
      expect(() => cipher.decode(other)).toThrow(UndecodableText);
    }
    fc.assert(
      fc.property(fc.string(), (other) => {
        expect(() => cipher.decode(other)).toThrow(UndecodableText);
      }),
    );
  });

  it('[API-065] do not open when what they hold is no JSON value of ours', () => {
    const shortTexts = [
      Buffer.alloc(0),
      Buffer.from([0xff, 0xfe]),
      '{"a":',
      '\ufeff1',
      '['.repeat(100_000) + ']'.repeat(100_000),
      `"${'x'.repeat(262_143)}"`,
    ];
    for (const bytes of shortTexts) expect(() => cipher.decode(sealedBytes(bytes))).toThrow(UndecodableText);
    expect(cipher.decode(sealedBytes('{"a":1}'))).toEqual({ a: 1 });
  });

  it('[API-065] open with their own key only, and one secret serves two purposes with two keys', () => {
    const text = cipher.encode(1);
    for (const other of [{ requestKey: `${requestKey}x` }, { ownKey: deriveOwnRequestKey(requestKey) }])
      expect(() => createRequestCipher(other).decode(text)).toThrow(UndecodableText);
    const own = () => createRequestCipher({ ownKey: deriveOwnRequestKey('k') });
    expect(own().decode(own().encode('own'))).toBe('own');
  });
});

import { describe, expect, it } from 'vitest';
import { decodeList } from './black-list-import.ts';

describe('files of lists', () => {
  const text = '203.0.113.1\n203.0.113.2\n';
  const bigEndian = Buffer.from(text, 'utf16le').swap16();

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['big-endian UTF-16', bigEndian],
    ['big-endian UTF-16 with its mark', Buffer.from([0xfe, 0xff, ...bigEndian])],
    ['lines of old Macs', Buffer.from(text.replaceAll('\n', '\r'))],
    ['lines of Windows', Buffer.from(text.replaceAll('\n', '\r\n'))],
  ])('[BAN-004] %s', (_, bytes) => {
    expect(decodeList(bytes)).toBe(text);
  });

  it('[BAN-004] archives are none, texts that begin with PK are', () => {
    expect(decodeList(Buffer.from('PK\u0003\u0004'))).toBeNull();
    expect(decodeList(Buffer.from([0x1f, 0x8b, 8]))).toBeNull();
    expect(decodeList(Buffer.from('PK;203.0.113.1'))).toBe('PK;203.0.113.1');
    expect(decodeList(Buffer.from(''))).toBe('');
  });
});

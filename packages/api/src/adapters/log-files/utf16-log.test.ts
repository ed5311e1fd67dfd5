import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutMarks } from './formats/log-format.ts';
import type { LogBytes } from './log-bytes.ts';
import { utf8Of } from './utf16-log.ts';

function open(bytes: Buffer, order: 'LE' | 'BE'): LogBytes {
  const read: LogBytes['read'] = (into, at, length, position) => bytes.copy(into, at, position, position + length);
  return utf8Of({ size: bytes.length, device: 1, inode: 1, read }, order);
}

function part(file: LogBytes, from: number, length: number): Buffer {
  const into = Buffer.alloc(length);
  return into.subarray(0, file.read(into, 0, length, from));
}

const textOf = (file: LogBytes): string => withoutMarks(part(file, 0, file.size).toString());

const wide = (text: string, order: 'LE' | 'BE'): Buffer =>
  order === 'LE' ? Buffer.from(text, 'utf16le') : Buffer.from(text, 'utf16le').swap16();

it.each(['LE', 'BE'] as const)('[LOG-040] any part of a file of UTF-16 %s and UTF-8 is read as it is in the whole', (order) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 150 });
  const pieces = fc.array(fc.tuple(text, fc.constantFrom('wide', 'plain', 'broken')), { maxLength: 8 });
  fc.assert(
    fc.property(pieces, fc.nat(3000), fc.integer({ min: 1, max: 900 }), (all, from, length) => {
      const bytes = all.map(([piece, form]) =>
        form === 'wide' ? wide(piece, order) : Buffer.from(piece, form === 'plain' ? 'utf8' : 'latin1'),
      );
      const file = open(Buffer.concat([wide('\uFEFF', order), ...bytes]), order);
      const whole = part(file, 0, file.size);
      expect(part(file, from, length)).toEqual(whole.subarray(from, from + length));
    }),
  );
});

it.each(['LE', 'BE'] as const)(
  '[LOG-040] letters of UTF-16 %s stay, and bytes of UTF-8 are read as such, wherever a character begins',
  (order) => {
    const letters = [
      'これはログの行ですので、何も変わりません。',
      '用户登录失败，密码错误，请重试上下文',
      'Ошибка входа пользователя',
      '사용자 로그인 실패',
      'उपयोगकर्ता लॉगिन विफल',
      '════════════════════════════════════════════',
      '😀😁😂🤣😃😄😅😆😉😊',
      '-'.repeat(300),
    ];
    const plain = letters.map((line, at) => `2026-11-20T10:11:12Z INFO ${'x'.repeat(at % 2)}grün ✓ 😀 вход ${at % 3 === 0 ? '' : line}\n`);
    for (const line of letters)
      for (const appended of plain) {
        const shown = `${line}\n${appended}`;
        const bytes = Buffer.concat([wide(`\uFEFF${line}\n`, order), Buffer.from(appended)]);
        expect(textOf(open(bytes, order))).toBe(shown);
      }
    const ansi = Buffer.from('2026-11-20 10:11:12 INFO Größe überschritten\n', 'latin1');
    expect(textOf(open(Buffer.concat([wide('\uFEFFa\n', order), ansi]), order))).toBe(
      'a\n2026-11-20 10:11:12 INFO Gr\uFFFD\uFFFDe \uFFFDberschritten\n',
    );
  },
);

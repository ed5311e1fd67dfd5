import { JsonText } from '@switchyard/contract/exact-json';
import { hiddenKinds } from '@switchyard/contract/log-viewer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideCardNumbers } from './card-numbers.ts';
import { hideInFile } from './hide-in-file.ts';
import { createSecretHider } from './hide-secrets.ts';

const hider = createSecretHider({ hides: [...hiddenKinds], names: ['iban', 'one time code', 'пароль'] });

describe('secrets by the name of their key', () => {
  it.each([
    ['password=hunter2 user=olga', 'password=[redacted] user=olga'],
    ['{"password":"hunter2","user":"olga"}', '{"password":"[redacted]","user":"olga"}'],
    ['{"password": 12345, "user": 7}', '{"password": "[redacted]", "user": 7}'],
    [String.raw`body {"raw":"{\"token\":\"a\\\"b\",\"x\":1}"}`, String.raw`body {"raw":"{\"token\":\"[redacted]\",\"x\":1}"}`],
    ['{"token":{"id":"a}b","x":[1]},"y":2}', '{"token":"[redacted]","y":2}'],
    ['POST /in?access_token=abc%3D&app=7', 'POST /in?access_token=[redacted]&app=7'],
    ['to /login?next=%2Fx%3Ftoken%3Dabc%26a%3D1', 'to /login?next=%2Fx%3Ftoken%3D[redacted]%26a%3D1'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: [redacted]'],
    [`curl -H 'Authorization: Bearer abc' https://a.b`, `curl -H 'Authorization: [redacted]' https://a.b`],
    ['Authorization: Digest username="o", response="6629"', 'Authorization: [redacted]'],
    ['"Cookie: sid=1; theme=dark" 200', '"Cookie: [redacted]" 200'],
    ['Set-Cookie: sid=1; Path=/\nnext line', 'Set-Cookie: [redacted]\nnext line'],
    ['["Authorization","Bearer abc"]', '["Authorization","[redacted]"]'],
    ['{"name":"X-Api-Key","value":"abc"}', '{"name":"X-Api-Key","value":"[redacted]"}'],
    ['user[password]=hunter2&user[name]=o', 'user[password]=[redacted]&user[name]=o'],
    ["array ('client_secret' => 'abc', 'a' => 1)", "array ('client_secret' => '[redacted]', 'a' => 1)"],
    ['["password"]=> string(7) "hunter2"', '["password"]=> string(7) "[redacted]"'],
    ['<ns:password>hunter2</ns:password>', '<ns:password>[redacted]</ns:password>'],
    ['mysql --password hunter2 -e x', 'mysql --password [redacted] -e x'],
    ['newPassword2: hunter2, password_confirmation: hunter2', 'newPassword2: [redacted], password_confirmation: [redacted]'],
    ['DB_PASSWORD=correct&horse;battery,staple)x DB_USER=o', 'DB_PASSWORD=[redacted] DB_USER=o'],
    [String.raw`login(password=ab\cd, user=o)`, 'login(password=[redacted], user=o)'],
    ['/cb?csrf-token=a&webhook_secret=b;c#access_token=d', '/cb?csrf-token=[redacted]&webhook_secret=[redacted];c#access_token=[redacted]'],
    ['x-api-key: one|x-api-key: two', 'x-api-key: [redacted]'],
    ['GET /a.png?X-Amz-Signature=9f2c&X-Amz-Date=20261120', 'GET /a.png?X-Amz-Signature=[redacted]&X-Amz-Date=20261120'],
    ['DB_PASS=hunter2 DB_USER=o', 'DB_PASS=[redacted] DB_USER=o'],
    ['postgres://app:hunter2@db:5432/x', 'postgres://app:[redacted]@db:5432/x'],
    ['IBAN: DE00, one_time_code=123456', 'IBAN: [redacted], one_time_code=[redacted]'],
    ['password="never closed', 'password="[redacted]'],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----',
    ],
  ])('[LOGX-011] %s', (text, shown) => {
    expect(hider.inText(text)).toBe(shown);
    expect(hider.inText(shown)).toBe(shown);
  });

  it.each([
    'unexpected token ")" in form.php',
    'The password field is required.',
    'Access denied for user (using password: YES)',
    'token_type=bearer tokens: 512 passwordLength=8',
    'authorization_endpoint=https://a.b cookie_consent=1',
    'PWD=/srv/shop secret: null, token=***',
    'password=[redacted]',
    'has_token=true',
    'passwords are hashed',
  ])('[LOGX-011] leaves %s', (text) => {
    expect(hider.inText(text)).toBe(text);
  });

  it('[LOGX-011] leaves the digits, the order and the repeated keys of a context', () => {
    const context = new JsonText('{"n":19.90,"password":"a","id":9007199254740993,"id":1,"rows":[{"api_key":"b","x":1.0}]}');
    const shown = hider.inValue(context);
    expect(shown instanceof JsonText && shown.text).toBe(
      '{"n":19.90,"password":"[redacted]","id":9007199254740993,"id":1,"rows":[{"api_key":"[redacted]","x":1.0}]}',
    );
    const escaped = new JsonText(String.raw`{"pass\u0077ord":"a","n":1.0}`);
    expect(hider.inValue(escaped)).toEqual(new JsonText('{"password":"[redacted]","n":1.0}'));
    const plain = { a: { b: ['x', 'token=abc'] }, rawHeaders: ['Host', 'a.b', 'Cookie', 'sid=1'], password: null, cookies: {} };
    expect(hider.inValue(plain)).toEqual({
      ...plain,
      a: { b: ['x', 'token=[redacted]'] },
      rawHeaders: ['Host', 'a.b', 'Cookie', '[redacted]'],
    });
    const harmless = { passwordLength: 8 };
    expect(hider.inValue(harmless)).toBe(harmless);
  });

  it('[LOGX-011] hides a secret of any text in any place of an object', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }), (secret, other) => {
        const marked = `~${secret}~`;
        const context = { other, list: [{ 'X-Auth-Token': marked, after: 1 }] };
        expect(JSON.stringify(hider.inValue(context))).not.toContain(JSON.stringify(marked).slice(1, -1));
        const line = JSON.stringify(context);
        const shown = hider.inLine(Buffer.from(line).toString('latin1'));
        expect(Buffer.from(shown, 'latin1').toString()).toBe(JSON.stringify(hider.inValue(JSON.parse(line))));
      }),
    );
  });

  it('[LOGX-014] hides names and numbers only where the settings say so', () => {
    const text = 'password=hunter2 card 4111 1111 1111 1111';
    const shownWith = (hides: ('keys' | 'cards')[]) => createSecretHider({ hides, names: [] }).inText(text);
    expect(shownWith([])).toBe(text);
    expect(shownWith(['keys'])).toBe('password=[redacted] card 4111 1111 1111 1111');
    expect(shownWith(['cards'])).toBe('password=hunter2 card [redacted]');
    expect(createSecretHider({ hides: ['cards'], names: [] }).inValue({ password: 'x' })).toEqual({ password: 'x' });
  });
});

describe('numbers of cards', () => {
  it.each([
    ['paid with 4111111111111111.', 'paid with [redacted].'],
    ['paid with 4111 1111 1111 1111 12/27', 'paid with [redacted] 12/27'],
    ['at 10 5500-0000-0000-0004', 'at 10 [redacted]'],
    ['amex 3782 822463 10005, visa 4222222222222', 'amex [redacted], visa [redacted]'],
    ['Smith,4111111111111111,12/27', 'Smith,[redacted],12/27'],
    ['{"card":"4111111111111111"}', '{"card":"[redacted]"}'],
  ])('[LOGX-012] %s', (text, shown) => {
    expect(hideCardNumbers(text)).toBe(shown);
  });

  it.each([
    'id 4111111111111112',
    'at 1795168800123 1795168800123456',
    '{"id":4111111111111111}',
    '{"ids":[4111111111111111, 4111111111111111]}',
    'a4111111111111111 0x4111111111111111f 1.4111111111111111',
    '01936b0e-4111-1111-1111-1111abcd0000',
    '40000000-0000-0002-b66c-f2db26efb20c',
    '41 11 11 11 11 11 11 11',
    '9111111111111111',
  ])('[LOGX-012] leaves %s', (text) => {
    expect(hideCardNumbers(text)).toBe(text);
  });

  it('[LOGX-012] a number in a context is none, a text is', () => {
    expect(hider.inValue({ id: 4111111111111111, note: 'card 4111111111111111' })).toEqual({
      id: 4111111111111111,
      note: 'card [redacted]',
    });
  });

  it('[LOGX-012] takes a time that grows with the text', () => {
    const began = performance.now();
    for (const part of ['4111 ', '1-1-', '[', '://a:', '"', 'password=', '\\"', 'token ', '<a', '--']) hider.inText(part.repeat(200_000));
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe('files', () => {
  async function shownOf(bytes: Buffer, size: number): Promise<Buffer> {
    async function* parts(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const shown: Buffer[] = [];
    for await (const part of hideInFile(parts(), hider)) shown.push(part);
    return Buffer.concat(shown);
  }

  it.each([1, 7, 65_536])('[LOGX-013] keep every byte without a secret, in parts of %i bytes', async (size) => {
    const bytes = Buffer.concat([
      Buffer.from('\uFEFF[2026-11-20 10:11:12] a.INFO: grün {"id":9007199254740993} []\r\n\u001B[31mred\u001B[0m \0x\n'),
      Buffer.from([0xff, 0xfe, 0x80, 10]),
      Buffer.from('{ "spaced" : 1 }\n\nlast line without an end'),
    ]);
    expect(await shownOf(bytes, size)).toEqual(bytes);
  });

  it.each([1, 7, 65_536])('[LOGX-013] lose their secrets in parts of %i bytes', async (size) => {
    const lines = (value: string, key: string): string =>
      `a\r\n{"n":1.0,"password":"${value}"}\r\npass\u001B[1mword\u001B[0m=${value}\npa\0ssword=${value} пароль=${value}\n${key}\nz`;
    const key = (body: string) => `-----BEGIN PRIVATE KEY-----${body}-----END PRIVATE KEY-----`;
    const text = lines('hunter2', key('\nMIIE\nMIIE\n'));
    const shownText = `a\r\n{"n":1.0,"password":"[redacted]"}\r\npassword=[redacted]\npassword=[redacted] пароль=[redacted]\n${key('[redacted]')}\nz`;
    expect((await shownOf(Buffer.from(text), size)).toString()).toBe(shownText);
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    expect((await shownOf(little, size)).toString('utf16le')).toBe(`\uFEFF${shownText}`);
    const big = Buffer.from(little).swap16();
    expect(
      Buffer.from(await shownOf(big, size))
        .swap16()
        .toString('utf16le'),
    ).toBe(`\uFEFF${shownText}`);
  });

  it.each([1, 7, 65_536])(
    '[LOG-040] lose their secrets in each part of UTF-16, UTF-8 and UTF-16 at odd offsets, in parts of %i bytes',
    async (size) => {
      const line = (value: string) => `{"n":1.0,"password":"${value}"}\r\n`;
      const [secret, shown] = [line('Рысь2'), line('[redacted]')];
      const key = (body: string) => `-----BEGIN PRIVATE KEY-----${body}-----END PRIVATE KEY-----\n`;
      const mixed = (text: string, ofKey: string, wide: (part: string) => Buffer) =>
        Buffer.concat([wide(`\uFEFF${text}грün\n`), Buffer.from(`grün ${text}${ofKey}x\n`), wide(text + ofKey + text), Buffer.of(10)]);
      const little = (part: string) => Buffer.from(part, 'utf16le');
      const big = (part: string) => little(part).swap16();
      for (const wide of [little, big])
        expect(await shownOf(mixed(secret, key('\nMIIE\nMIIE\n'), wide), size)).toEqual(mixed(shown, key('[redacted]'), wide));
      for (const wide of [little, big]) {
        const bytes = mixed('上 grün 😀 1.0\r\n', 'без тайн\n', wide);
        expect(await shownOf(bytes, size)).toEqual(bytes);
      }
    },
  );

  it('[LOGX-013] hide a value of any letters whole', async () => {
    const values = ['voilà', 'voilà1', 'Рысь2', 'a\u00A0b', '密码3', '😀4'];
    const text = values.map((value) => `password=${value} next`).join('\n');
    expect((await shownOf(Buffer.from(text), 65_536)).toString()).toBe(values.map(() => 'password=[redacted] next').join('\n'));
  });

  it('[LOGX-013] take a line that does not end in parts between its values', async () => {
    const bytes = Buffer.from(`{${Array.from({ length: 120_000 }, (_, at) => `"k${at}":${at},"password":"hunter2"`).join()}}`);
    expect((await shownOf(bytes, 65_536)).toString()).not.toContain('hunter2');
  });
});

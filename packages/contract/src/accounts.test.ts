import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountNameError, asciiEmail, emailError, passwordError } from './account-rules.ts';
import { createAccountBody, saveAccountBody, switchAccessBody } from './accounts.ts';
import { fieldErrors } from './field-errors.ts';

describe('rules on accounts', () => {
  it('[USER-024] [CONST-031] requires three characters of a name', () => {
    expect([accountNameError('ab'), accountNameError('abc')]).toEqual(['*Provide a valid name (min length - 3)', null]);
  });

  it.each([
    ['a@b.c', true],
    ['first.last+tag@sub.example.com', true],
    ['a@b', false],
    ['@b.c', false],
    ['a b@c.d', false],
    ['a@@b.c', false],
    ['', false],
    [`${'a'.repeat(250)}@b.cd`, false],
    [`${'a'.repeat(65)}@b.cd`, false],
    ['"a"<x@y.example>', false],
    ['"quoted"@b.example', false],
    ['a<x@b.example', false],
    ['a.@b.example', false],
    ['a..b@c.example', false],
    ['adm\u0131n@b.example', false],
    ['оlga@b.example', false],
    ["o'neil+x_y{z}@b.example", true],
    ['a@münchen.example', true],
    ['a@xn--mnchen-3ya.example', true],
    ['a@xn--zzzzz-.example', false],
    ['a@b.example.', false],
    ['a@b..example', false],
    ['a@-b.example', false],
    ['a@b_c.example', false],
    ['a@b.example>', false],
    ['a@b%2eexample.com', false],
    ['a@192.0.2.1', false],
    ['a@0x7f.1', false],
    ['a@[192.0.2.1]', false],
    [`a@${'ü'.repeat(60)}.example`, false],
  ])('[USER-027, AMB-179, IDN-119] takes %s for an address: %s', (email, isOne) => {
    expect(emailError(email)).toBe(isOne ? null : '*Provide a valid email address');
  });

  it('[IDN-119] stores an address with its domain in ASCII, so that two spellings of a domain are one address', () => {
    const storedEmail = (email: string) => saveAccountBody.parse({ email }).email;
    expect(storedEmail('Olga@MÜNCHEN.example')).toBe('Olga@xn--mnchen-3ya.example');
    expect(storedEmail('Olga@xn--mnchen-3ya.example')).toBe('Olga@xn--mnchen-3ya.example');
    expect(storedEmail('Olga@ｂ。example')).toBe('Olga@b.example');
    expect(storedEmail('Olga@Sub.Example')).toBe('Olga@Sub.Example');
    expect(asciiEmail('no address')).toBe('no address');
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(asciiEmail(asciiEmail(email))).toBe(asciiEmail(email));
        expect(emailError(email)).toBe(null);
      }),
    );
  });

  it('[USER-029] [USER-030] [USER-031] [USER-032] [CONST-032] requires twelve characters, a digit, lower and upper case of a password', () => {
    const parts = fc.array(fc.constantFrom('a', 'z', 'A', 'Z', '0', '9', '!', ' ', 'ß', 'é', 'Ж'), { maxLength: 16 });
    fc.assert(
      fc.property(parts, (characters) => {
        const has = (alphabet: string) => characters.some((character) => alphabet.includes(character));
        const isStrong = characters.length >= 12 && has('09') && has('azßé') && has('AZЖ');
        expect(passwordError(characters.join('')) === null).toBe(isStrong);
      }),
    );
  });
});

describe('bodies of accounts', () => {
  it('[AMB-174] report every failure as field errors', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.dictionary(fc.constantFrom('name', 'email', 'roles', 'password', 'appIds', 'isQa', 'x'), fc.anything()),
        (any, body) => {
          for (const schema of [createAccountBody, saveAccountBody, switchAccessBody]) {
            for (const input of [any, body]) {
              const result = schema.safeParse(input, { reportInput: true });
              if (result.success) continue;
              const { shape, value } = fieldErrors(result.error);
              const texts = Object.values({ ...shape, ...value });
              expect(texts.length).toBeGreaterThan(0);
              for (const text of texts) expect(text).toEqual([expect.stringMatching(/^(The .+\.|\*.+|Unknown field\.)$/)]);
            }
          }
        },
      ),
    );
  });

  it('[AMB-174] treat an empty password as absent', () => {
    expect(saveAccountBody.parse({ password: '' })).toEqual({ password: null });
    expect(saveAccountBody.parse({ name: '  Olga ', email: ' o@b.c ' })).toEqual({ name: 'Olga', email: 'o@b.c' });
  });

  it('[USER-058] [API-047] accept the flag under either name', () => {
    expect(
      [{ hasAccess: 1 }, { has_access: false }, { hasAccess: true, has_access: 1 }].map((body) => switchAccessBody.parse(body).hasAccess),
    ).toEqual([true, false, true]);
  });
});

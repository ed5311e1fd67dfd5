import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountNameError, emailError, passwordError } from './account-rules.ts';
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
  ])('[USER-027] [AMB-179] takes %s for an address: %s', (email, isOne) => {
    expect(emailError(email)).toBe(isOne ? null : '*Provide a valid email address');
  });

  it('[USER-029] [USER-030] [USER-031] [USER-032] [CONST-032] requires twelve characters, a digit, lower and upper case of a password', () => {
    const parts = fc.array(fc.constantFrom('a', 'z', 'A', 'Z', '0', '9', '!', ' ', 'ß', 'é', 'Ж'), { maxLength: 16 });
    fc.assert(
      fc.property(parts, (characters) => {
        const has = (wanted: string) => characters.some((character) => wanted.includes(character));
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
              const parsed = schema.safeParse(input, { reportInput: true });
              if (parsed.success) continue;
              const { shape, value } = fieldErrors(parsed.error);
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
      [{ hasAccess: 1 }, { has_access: false }, { hasAccess: true, has_access: 1 }].map((body) => switchAccessBody.parse(body)),
    ).toEqual([true, false, true]);
  });
});

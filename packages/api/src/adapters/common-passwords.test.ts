import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPasswordPolicy } from './common-passwords.ts';

const policy = createPasswordPolicy({ productName: 'Acme Console' });
const email = 'pavel.manager@example.com';
const common = '*This password is too common';
const hasProduct = '*The password must not contain the name of the product';
const hasEmail = '*The password must not contain the name in the email address';

describe('passwords that are easy to guess', () => {
  it.each([
    ['Password1234', common],
    ['QWERTy123456', common],
    ['Liverpool2026', common],
    ['Manchester2026!', common],
    ['Butterfly!2026', common],
    ['AcmeConsole2026', hasProduct],
    ['my-Acme.Console-9', hasProduct],
    ['Demo-Switchyard-1', hasProduct],
    ['Pavel.Manager-2026', hasEmail],
    ['xPAVELmanagerx1', hasEmail],
    ['Str0ngPassw0rd', null],
    ['An0therPassw0rd', null],
    ['Journey-Passw0rd', null],
    ['Correct-Horse-9', null],
    ['Pavel-Str0ng-Horse', null],
  ])('[O40] [S39] %s: %s', (password, message) => {
    expect(policy.error(password, email)).toBe(message);
  });

  it('[O40] [S39] are those of a common word with digits and punctuation behind it, in any case', () => {
    const tail = fc
      .array(fc.constantFrom('0', '1', '2', '5', '9', '!', '?', '.', '-', '_', ' ', '#'), { minLength: 1, maxLength: 12 })
      .map((signs) => signs.join(''))
      .filter((signs) => /\d/.test(signs));
    const word = fc.constantFrom('dragon', 'football', 'administrator', 'summer', 'liverpool', 'welcome');
    const upper = fc.nat(12);
    fc.assert(
      fc.property(word, tail, upper, (base, digits, at) => {
        const typedName = base.slice(0, at) + base.slice(at, at + 1).toUpperCase() + base.slice(at + 1);
        expect(policy.error(typedName + digits, email)).toBe(common);
        // With letters behind the digits, or two words, it is no longer a word and a number.
        expect(policy.error(`${typedName}${digits}Xq`, email)).toBeNull();
      }),
    );
  });

  it('[O40] [S39] are those with the name in the e-mail address anywhere, from 4 letters on', () => {
    const local = fc.stringMatching(/^[a-z]{1,12}$/);
    const around = fc.stringMatching(/^[A-Z0-9]{0,3}$/);
    fc.assert(
      fc.property(local, around, around, (name, before, after) => {
        fc.pre(!['acmeconsole', 'switchyard'].some((product) => product.includes(name) || name.includes(product)));
        const error = policy.error(`${before}-${name}-${after}-Zz9q`, `${name.toUpperCase()}+mail@example.com`);
        expect(error).toBe(name.length >= 4 ? hasEmail : null);
      }),
    );
  });

  it('[O40] [S39] are not those that a short product name or an odd address would rule out by chance', () => {
    const short = createPasswordPolicy({ productName: 'Go!' });
    expect(short.error('Gopher-Mountain-77', 'ab@example.com')).toBeNull();
    expect(short.error('Gopher-Mountain-77', 'no address at all')).toBeNull();
    expect(short.error('Gopher-Mountain-77', '@example.com')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { accountFilters, matchesFilters } from './accounts.ts';
import { allEndpoints } from './all-endpoints.ts';
import { appRuleErrors } from './app-rules.ts';
import { emailError } from './account-rules.ts';
import { ingestedStream } from './ingest.ts';
import { cleanBundle, cleanName, nameText } from './text-fields.ts';

/** Writes with a name, and what ingestion takes as one. */
const named = [
  ...allEndpoints.flatMap(({ number, body }) =>
    body instanceof z.ZodObject && 'name' in body.shape ? [[`[${number}]`, body] as const] : [],
  ),
  ['a stream', ingestedStream] as const,
];

const errorOf = (schema: z.ZodType, body: unknown) => {
  const name = schema.safeParse(body).error?.issues.find(({ path }) => path.join('.') === 'name');
  return name?.message;
};

describe('names', () => {
  it('[NAME-005] of every kind have one line', () => {
    expect(named.length).toBeGreaterThan(20);
    for (const name of ['Line\nbreak', 'Carriage\r\nreturn', 'Bell\u0007 rings', 'Line\u2028separator', 'Next\u0085line']) {
      // Names of apps have messages for spaces, which come first.
      const others = named.filter(([call]) => call !== '[12]' && call !== '[14]').map(([call, body]) => [call, errorOf(body, { name })]);
      expect(others.filter(([, message]) => message !== 'The name field contains invalid characters.')).toEqual([]);
      expect(appRuleErrors({ name, bundle: name.replaceAll(/\s/g, '') })['name']).toBe('The name field contains invalid characters.');
    }
  });

  it('[NAME-004] are stored in NFC without invisible characters at their ends', () => {
    expect(cleanName('\u200bCafe\u0301\u2060')).toBe('Café');
    expect(cleanName('a\u200bb')).toBe('a\u200bb');
    expect(nameText(10).parse(' \u200b Cafe\u0301 \ufeff')).toBe('Café');
    expect(nameText(10).safeParse(' \u200b ').success).toBe(false);
    expect(cleanBundle('com.\u200bI\u0307stanbul')).toBe('com.İstanbul');
  });

  it('[NAME-004] are found by every spelling', () => {
    const account = { id: 1, name: 'Ｃaf\u200bé', email: 'a@b.example', roles: [], hasAccess: true };
    for (const search of ['café', 'CAFE\u0301', '\u200bcafé\u200b', 'caf\u2060é'])
      expect(matchesFilters(account, accountFilters.parse({ search: [search] }))).toBe(true);
    expect(matchesFilters(account, accountFilters.parse({ search: ['cafe'] }))).toBe(false);
  });

  it('[NAME-006] an e-mail address may be pasted with invisible characters around it', () => {
    expect(emailError('a@b.example')).toBeNull();
    const { body } = allEndpoints.find(({ number }) => number === 47) ?? {};
    if (!(body instanceof z.ZodObject)) throw new Error('The call that creates a user has no body');
    expect(body.shape['email'].parse('\u200b a@b.example\ufeff')).toBe('a@b.example');
  });
});

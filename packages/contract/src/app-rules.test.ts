import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAppBody } from './app-form.ts';
import {
  appRuleErrors,
  conversionTypes,
  newAppDefaults,
  proxyCacheSeconds,
  responseCodes,
  responseTypes,
  redirectAddress,
} from './app-rules.ts';
import { appModes, cloakModes, responseModes, verticals } from './apps.ts';

const space = fc.constantFrom(' ', '\t', '\n', '\u00a0');
const word = fc.stringMatching(/^[a-z0-9.-]{1,20}$/).filter((text) => !text.startsWith('http'));

describe('choices of the app form', () => {
  it('[RESP-001][RESP-002][RESP-004][CONST-021][CONST-022][CONST-024] modes', () => {
    expect(appModes).toEqual(['default', 'push_only', 'one_request_url']);
    expect(responseModes).toEqual(['white', 'custom']);
    expect(cloakModes).toEqual(['default', 'none', 'custom', 'magic_checker']);
  });

  it('[RESP-003][RESP-005][CONST-023][CONST-025] content types and codes of a response', () => {
    expect(responseTypes).toEqual(['json', 'html', 'text', 'random']);
    expect(responseCodes).toEqual([200, 201, 204, 301, 302, 307, 400, 401, 403, 404, 409, 422, 500, 502, 503, 504]);
  });

  it('[RESP-006][RESP-007][CONST-020] cache times, five minutes by default', () => {
    expect(proxyCacheSeconds).toEqual([300, 600, 900, 3600, 86400, 604800, 2592000]);
    expect(newAppDefaults.proxy_cache_seconds).toBe(300);
  });

  it('[CONF-029][CONF-040] verticals and kinds of conversion keys', () => {
    expect(verticals.map((vertical) => vertical.id)).toEqual(['bet', 'casino', 'social_casino', 'fantasy', 'finance']);
    expect(conversionTypes).toEqual(['mmp_appsflyer', 'google_analytics']);
  });
});

describe('spaces and schemes', () => {
  it.each(['name', 'whiteUserAgent', 'createApfDevKey', 'firebaseAppId', 'apiSecret'] as const)(
    '[CONF-046][CONF-047][CONF-048][CONF-053][CONF-054][CONF-055] %s may hold spaces inside, none at its ends',
    (field) => {
      fc.assert(
        fc.property(word, word, space, fc.constantFrom('start', 'end', 'inside'), (one, two, gap, place) => {
          const value = place === 'start' ? `${gap}${one}` : place === 'end' ? `${one}${gap}` : `${one}${gap}${two}`;
          const isOneLine = field !== 'name' || !/[\t\n]/.test(gap);
          const inside = isOneLine ? {} : { name: 'The name field contains invalid characters.' };
          const expected = place === 'inside' ? inside : { [field]: `Check the ${field} "${value}" for spaces start or and.` };
          expect(appRuleErrors({ [field]: value })).toEqual(expected);
        }),
      );
    },
  );

  it.each(['bundle', 'domain'] as const)('[CONF-049][CONF-050] %s contains no space, tab or newline', (field) => {
    fc.assert(
      fc.property(word, word, space, (one, two, gap) => {
        for (const value of [`${gap}${one}`, `${one}${gap}`, `${one}${gap}${two}`])
          expect(appRuleErrors({ [field]: value })).toEqual({ [field]: `Check the ${field} "${value}" for spaces.` });
        if (field === 'bundle') expect(appRuleErrors({ [field]: one })).toEqual({});
      }),
    );
  });

  it('[CONF-051][CONF-052] domain does not begin with http in any case; spaces are reported first', () => {
    for (const value of ['http://a.example', 'https://a.example', 'HTTPS://A', 'httpbin.org', 'http'])
      expect(appRuleErrors({ domain: value })).toEqual({ domain: 'The domain must not contain http or https.' });
    expect(appRuleErrors({ domain: 'http://a b' })).toEqual({ domain: 'Check the domain "http://a b" for spaces.' });
    expect(appRuleErrors({ domain: 'a-http.example', bundle: 'http.x' })).toEqual({});
  });

  it('accepts empty and absent texts', () => {
    expect(appRuleErrors({})).toEqual({});
    expect(appRuleErrors({ name: '', whiteUserAgent: null, apiSecret: null, proxy_api_url: null, adspect_cloak: null })).toEqual({});
  });
});

describe('cloak ids', () => {
  const uuid = fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()));
  const hex = fc.stringMatching(/^[0-9a-fA-F]{32}$/);
  const errors = (cloak_mode: string, adspect_cloak: string | null) => appRuleErrors({ cloak_mode, adspect_cloak });

  it('[RESP-016][RESP-017][RESP-019] custom accepts a UUID only, magic_checker 32 hex digits only', () => {
    fc.assert(
      fc.property(uuid, hex, (id, digits) => {
        expect(errors('custom', id)).toEqual({});
        expect(errors('magic_checker', digits)).toEqual({});
        expect(errors('custom', digits)).toEqual({ adspect_cloak: 'ID Adspect Cloak not valid!' });
        expect(errors('magic_checker', id)).toEqual({ adspect_cloak: 'ID MagicChecker Cloak not valid!' });
        expect(errors('custom', ` ${id}`)).toEqual({ adspect_cloak: 'ID Adspect Cloak not valid!' });
        expect(errors('magic_checker', `${digits}0`)).toEqual({ adspect_cloak: 'ID MagicChecker Cloak not valid!' });
      }),
    );
    for (const none of ['', null]) {
      expect(errors('custom', none)).toEqual({ adspect_cloak: 'ID Adspect Cloak not valid!' });
      expect(errors('magic_checker', none)).toEqual({ adspect_cloak: 'ID MagicChecker Cloak not valid!' });
    }
  });

  it('[RESP-018] default and none accept any id', () => {
    fc.assert(
      fc.property(fc.constantFrom('default', 'none'), fc.string(), (mode, id) => {
        expect(errors(mode, id)).toEqual({});
      }),
    );
  });
});

describe('the body of an app', () => {
  it('accepts every choice, and converts empty texts to null', () => {
    const body = createAppBody.parse({
      name: 'a',
      bundle: 'b',
      domain: 'c',
      vertical: 'bet',
      whiteUserAgent: '',
      adspect_cloak: '',
      proxy_api_url: 'https://',
      keys: { apiSecret: '' },
    });
    expect(body).toMatchObject({ whiteUserAgent: null, adspect_cloak: null, proxy_api_url: null, keys: { apiSecret: null } });
  });
});

it('[DATA-008] writes addresses of redirects in ASCII, which stays to the letter', () => {
  expect(redirectAddress('https://offer.example/путь?q=1')).toBe('https://offer.example/%D0%BF%D1%83%D1%82%D1%8C?q=1');
  expect(redirectAddress('https://bücher.example/a%20b?c={click_id}')).toBe('https://xn--bcher-kva.example/a%20b?c={click_id}');
  for (const text of ['https://offer.example/a%2Fb?c={click_id}', 'text ü', '']) expect(redirectAddress(text)).toBe(text);
  const part = fc.constantFrom('a', 'B', 'ü', 'пример', '１２', '.', ':80', '@', '/', '\\', '{x}', '%20', '?q=ж', '#ß');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      const text = `https://${parts.join('')}`;
      if (URL.canParse(text)) expect(new URL(redirectAddress(text)).href).toBe(new URL(text).href);
    }),
    { numRuns: 1_000 },
  );
  expect(redirectAddress('https://user:pä@{SUB}.bücher.example:80/a')).toBe('https://user:p%C3%A4@{SUB}.xn--bcher-kva.example:80/a');
});

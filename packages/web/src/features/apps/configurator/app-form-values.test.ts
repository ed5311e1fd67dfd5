import { appRuleErrors, proxyAddress } from '@switchyard/contract/app-rules';
import { createAppBody, saveAppBody } from '@switchyard/contract/app-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldOf, ruleKeyOf, textPaths } from './app-fields.ts';
import { changedKeys, idSet, toBody, valuesOf, type AppFormValues } from './app-form-values.ts';
import { sampleApp } from './sample-app.ts';
import { spanText } from './span-text.ts';

const loaded = valuesOf(sampleApp);
const texts = fc.record({
  name: fc.string(),
  whiteUserAgent: fc.string(),
  proxy_api_url: fc.string(),
  static_response_path: fc.string(),
  adspect_cloak: fc.string(),
  userIds: fc.array(fc.nat()).map(idSet),
});

describe('the body of a save', () => {
  it('[CONF-072] [CONF-074] [CONF-075] [AMB-088] is the same for a new and an existing app, and the server takes it', () => {
    const body = toBody(loaded);
    expect(createAppBody.safeParse(body).success).toBe(true);
    expect(saveAppBody.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({
      keys: { createApfDevKey: 'dK9', firebaseAppId: '1:2:web' },
      privateKeys: { apiSecret: 's3cret' },
      userIds: [31, 33],
    });
    expect(Object.keys(toBody({ ...valuesOf(undefined), vertical: 'bet' }))).not.toContain('proxy_api_url');
  });

  it('[CONF-069] [CONF-071] nothing differs from itself, whatever was typed and taken back', () => {
    fc.assert(
      fc.property(texts, (typed) => {
        const values: AppFormValues = { ...loaded, ...typed };
        expect(changedKeys(values, { ...values })).toEqual([]);
      }),
    );
  });

  it('[CONF-073] [RESP-020] [RESP-021] [RESP-022] [RESP-023] holds addresses and paths in the shape in which they are kept', () => {
    fc.assert(
      fc.property(texts, (typed) => {
        const body = toBody({ ...loaded, ...typed });
        expect(body.static_response_path).toMatch(/^\//);
        expect(body.proxy_api_url ?? null).toBe(proxyAddress(typed.proxy_api_url));
        expect('proxy_api_url' in body).toBe(body.proxy_api_url !== undefined);
      }),
    );
  });

  it('[UACC-007] compares sets of buyers, not their order', () => {
    expect(idSet([33, 31, 33])).toEqual([31, 33]);
    expect(changedKeys(loaded, { ...loaded, userIds: idSet([33, 31]) })).toEqual([]);
  });
});

describe('fields', () => {
  it('[CONF-063] [ERR-020] the server may name a field as the rules do, or by its path in the body', () => {
    for (const path of textPaths) {
      expect(fieldOf(ruleKeyOf(path))).toBe(path);
      expect(fieldOf(path)).toBe(path);
    }
    expect(fieldOf('privateKeys.apiSecret')).toBe('keys.apiSecret');
    expect(fieldOf('response_message.static.code')).toBe('response_message.static.code');
    expect(fieldOf('response_message.static')).toBe('response_message.static.response');
    expect(fieldOf('surprise')).toBeUndefined();
  });

  it('[CONF-063] every rule of the contract has a field that shows its message', () => {
    const response = { type: 'json', code: 302, response: '' } as const;
    const wrong = appRuleErrors({
      name: ' ',
      bundle: ' ',
      domain: ' ',
      whiteUserAgent: ' ',
      createApfDevKey: ' ',
      firebaseAppId: ' ',
      apiSecret: ' ',
      proxy_api_url: 'ftp://x',
      cloak_mode: 'custom',
      adspect_cloak: '',
      response_message: { static: response, create: response, receive: response },
    });
    expect(Object.keys(wrong)).toHaveLength(12);
    expect(new Set(Object.keys(wrong).map(fieldOf)).size).toBe(12);
    expect(Object.keys(wrong).map(fieldOf)).not.toContain(undefined);
  });

  it('[RESP-006] [RESP-007] spans read as minutes, hours and days', () => {
    const spans = [300, 600, 900, 3_600, 86_400, 604_800, 2_592_000].map(spanText);
    expect(spans).toEqual(['5 minutes', '10 minutes', '15 minutes', '1 hour', '1 day', '7 days', '30 days']);
  });
});

import { appRuleErrors, proxyAddress } from '@switchyard/contract/app-rules';
import { createAppBody, saveAppBody } from '@switchyard/contract/app-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStates, type ThreeStates } from '../../../shared/form/conflict.ts';
import {
  appModel,
  changedKeys,
  durationText,
  fieldOf,
  idSet,
  ruleKeyOf,
  textPaths,
  toBody,
  valuesOf,
  type AppValues,
} from './app-model.ts';
import { sampleApp } from './testing/sample-app.ts';

const loadedValues = valuesOf(sampleApp);
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
    const body = toBody(loadedValues);
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
      fc.property(texts, (edits) => {
        const values: AppValues = { ...loadedValues, ...edits };
        expect(changedKeys(values, { ...values })).toEqual([]);
      }),
    );
  });

  it('[CONF-073] [RESP-020] [RESP-021] [RESP-022] [RESP-023] holds addresses and paths in the shape in which they are kept', () => {
    fc.assert(
      fc.property(texts, (edits) => {
        const body = toBody({ ...loadedValues, ...edits });
        expect(body.static_response_path).toMatch(/^\//);
        expect(body.proxy_api_url ?? null).toBe(proxyAddress(edits.proxy_api_url));
        expect('proxy_api_url' in body).toBe(body.proxy_api_url !== undefined);
      }),
    );
  });

  it('[UACC-007] compares sets of buyers, not their order', () => {
    expect(idSet([33, 31, 33])).toEqual([31, 33]);
    expect(changedKeys(loadedValues, { ...loadedValues, userIds: idSet([33, 31]) })).toEqual([]);
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
    const spans = [300, 600, 900, 3_600, 86_400, 604_800, 2_592_000].map(durationText);
    expect(spans).toEqual(['5 minutes', '10 minutes', '15 minutes', '1 hour', '1 day', '7 days', '30 days']);
  });
});

const entry = fc.record({
  type: fc.constantFrom('json' as const, 'text' as const),
  code: fc.constantFrom(200 as const, 404 as const),
  response: fc.constantFrom('', 'a'),
});
const text = fc.constantFrom('', 'one', 'two');
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5 })).map((list): readonly number[] => list.toSorted((a, b) => a - b));
/** A form that differs from the loaded one anywhere or nowhere. */
const form: fc.Arbitrary<AppValues> = fc
  .record(
    {
      name: text,
      domain: text,
      proxy_api_url: text,
      app_mode: fc.constantFrom('default' as const, 'push_only' as const),
      keys: fc.record({ createApfDevKey: text, firebaseAppId: text, apiSecret: text }),
      response_message: fc.record({ static: entry, create: entry, receive: entry }),
      userIds: ids,
    },
    { requiredKeys: [] },
  )
  .map((changes) => ({ ...loadedValues, ...changes }));

describe('saving over what somebody else saved meanwhile', () => {
  it('[CONF-024] gives theirs when I changed nothing, and mine when they changed nothing', () => {
    fc.assert(
      fc.property(form, (other) => {
        expect(appModel.merge({ loaded: loadedValues, theirs: other, mine: loadedValues })).toEqual(other);
        expect(appModel.merge({ loaded: loadedValues, theirs: loadedValues, mine: other })).toEqual(other);
      }),
    );
  });

  it('[CONF-024] loses nothing of either but where both changed the same field, which is mine', () => {
    fc.assert(
      fc.property(form, form, (theirs, mine) => {
        const mergedValues = appModel.merge({ loaded: loadedValues, theirs, mine });
        expect(mergedValues.name).toBe(mine.name === loadedValues.name ? theirs.name : mine.name);
        expect(mergedValues.proxy_api_url).toBe(
          mine.proxy_api_url === loadedValues.proxy_api_url ? theirs.proxy_api_url : mine.proxy_api_url,
        );
        for (const key of ['createApfDevKey', 'firebaseAppId', 'apiSecret'] as const) {
          expect(mergedValues.keys[key]).toBe(mine.keys[key] === loadedValues.keys[key] ? theirs.keys[key] : mine.keys[key]);
        }
      }),
    );
  });

  it('[UACC-007] keeps whom either added and drops whom either removed', () => {
    const states = { loaded: [31, 33], theirs: [31, 33, 40], mine: [33, 50] };
    const [mine, theirs] = [
      { ...loadedValues, userIds: states.mine },
      { ...loadedValues, userIds: states.theirs },
    ];
    expect(appModel.merge({ loaded: { ...loadedValues, userIds: states.loaded }, theirs, mine }).userIds).toEqual([33, 40, 50]);
  });
});

describe('what a conflict shows', () => {
  const buyers = sampleApp.buyers.map((buyer) => ({ ...buyer, name: `buyer ${buyer.id}` }));
  const differences = (states: ThreeStates<AppValues>) => compareStates(states, appModel.fieldsOf([{ ...sampleApp, buyers }]));

  it('lists what they changed beside mine, and names what only I changed', () => {
    const theirs = { ...loadedValues, name: 'Theirs', cloak_mode: 'none' as const };
    const mine = { ...loadedValues, name: 'Mine', vertical: 'bet' as const, userIds: [31] };
    expect(differences({ loaded: loadedValues, theirs, mine })).toEqual({
      rows: [
        { label: 'Name', before: 'Acme Bet', theirs: 'Theirs', mine: 'Mine' },
        { label: 'Cloak mode', before: 'custom', theirs: 'none', mine: null },
      ],
      onlyMine: ['Vertical', 'App users'],
    });
  });

  it('shows buyers by name, a response as one line, and no secret', () => {
    const theirs: AppValues = {
      ...loadedValues,
      userIds: [31],
      keys: { ...loadedValues.keys, apiSecret: 'another' },
      response_message: { ...loadedValues.response_message, static: { type: 'json', code: 200, response: '' } },
    };
    const { rows } = differences({ loaded: loadedValues, theirs, mine: loadedValues });
    expect(rows.map(({ label, before, theirs: now }) => [label, before, now])).toEqual([
      ['API Secret', '••••••••', '••••••••'],
      ['App users', 'buyer 31, buyer 33', 'buyer 31'],
      ['Responses: static', 'html 404 <p>none</p>', 'json 200'],
    ]);
  });
});

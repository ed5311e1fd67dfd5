import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valuesOf, type AppFormValues } from '../../configurator/app-form-values.ts';
import { sampleApp } from '../../configurator/sample-app.ts';
import { differences } from './differences.ts';
import { mergeValues } from './merge-values.ts';

const loaded = valuesOf(sampleApp);
const entry = fc.record({
  type: fc.constantFrom('json' as const, 'text' as const),
  code: fc.constantFrom(200 as const, 404 as const),
  response: fc.constantFrom('', 'a'),
});
const text = fc.constantFrom('', 'one', 'two');
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5 })).map((list): readonly number[] => list.toSorted((a, b) => a - b));
/** A form that differs from the loaded one anywhere or nowhere. */
const form: fc.Arbitrary<AppFormValues> = fc
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
  .map((changes) => ({ ...loaded, ...changes }));

describe('saving over what somebody else saved meanwhile', () => {
  it('[CONF-024] gives theirs when I changed nothing, and mine when they changed nothing', () => {
    fc.assert(
      fc.property(form, (other) => {
        expect(mergeValues({ loaded, theirs: other, mine: loaded })).toEqual(other);
        expect(mergeValues({ loaded, theirs: loaded, mine: other })).toEqual(other);
      }),
    );
  });

  it('[CONF-024] loses nothing of either but where both changed the same field, which is mine', () => {
    fc.assert(
      fc.property(form, form, (theirs, mine) => {
        const merged = mergeValues({ loaded, theirs, mine });
        expect(merged.name).toBe(mine.name === loaded.name ? theirs.name : mine.name);
        expect(merged.proxy_api_url).toBe(mine.proxy_api_url === loaded.proxy_api_url ? theirs.proxy_api_url : mine.proxy_api_url);
        for (const key of ['createApfDevKey', 'firebaseAppId', 'apiSecret'] as const) {
          expect(merged.keys[key]).toBe(mine.keys[key] === loaded.keys[key] ? theirs.keys[key] : mine.keys[key]);
        }
      }),
    );
  });

  it('[UACC-007] keeps whom either added and drops whom either removed', () => {
    const states = { loaded: [31, 33], theirs: [31, 33, 40], mine: [33, 50] };
    const [mine, theirs] = [
      { ...loaded, userIds: states.mine },
      { ...loaded, userIds: states.theirs },
    ];
    expect(mergeValues({ loaded: { ...loaded, userIds: states.loaded }, theirs, mine }).userIds).toEqual([33, 40, 50]);
  });
});

describe('what a conflict shows', () => {
  const named = (id: number): string => `buyer ${id}`;

  it('lists what they changed beside mine, and names what only I changed', () => {
    const theirs = { ...loaded, name: 'Theirs', cloak_mode: 'none' as const };
    const mine = { ...loaded, name: 'Mine', vertical: 'bet' as const, userIds: [31] };
    expect(differences({ loaded, theirs, mine }, named)).toEqual({
      rows: [
        { label: 'Name', before: 'Acme Bet', theirs: 'Theirs', mine: 'Mine' },
        { label: 'Cloak mode', before: 'custom', theirs: 'none', mine: null },
      ],
      onlyMine: ['Vertical', 'App users'],
    });
  });

  it('shows buyers by name, a response as one line, and no secret', () => {
    const theirs: AppFormValues = {
      ...loaded,
      userIds: [31],
      keys: { ...loaded.keys, apiSecret: 'another' },
      response_message: { ...loaded.response_message, static: { type: 'json', code: 200, response: '' } },
    };
    const { rows } = differences({ loaded, theirs, mine: loaded }, named);
    expect(rows.map(({ label, before, theirs: now }) => [label, before, now])).toEqual([
      ['API Secret', '••••••••', '••••••••'],
      ['App users', 'buyer 31, buyer 33', 'buyer 31'],
      ['Responses: static', 'html 404 <p>none</p>', 'json 200'],
    ]);
  });
});

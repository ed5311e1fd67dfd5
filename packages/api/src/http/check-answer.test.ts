import { defineEndpoint, publicAccess } from '@switchyard/contract/endpoint';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AnswerMismatch, checkAnswer } from './check-answer.ts';

const inner = z.object({ id: z.int(), name: z.string().nullable(), when: z.string().optional() });
const endpoint = defineEndpoint({
  number: 1,
  method: 'GET',
  path: 'things',
  summary: 'Things',
  access: publicAccess,
  answer: { kind: 'data', status: 200, schema: z.object({ one: inner, many: z.array(inner), free: z.record(z.string(), z.unknown()) }) },
});

/** zod leaves `__proto__` out of every record. */
const key = fc.string().filter((text) => text !== '__proto__');
const declaredValue = fc.record({ id: fc.integer(), name: fc.option(fc.string()), when: fc.string() }, { requiredKeys: ['id', 'name'] });
const good = fc.record({ one: declaredValue, many: fc.array(declaredValue, { maxLength: 5 }), free: fc.dictionary(key, fc.jsonValue()) });
const secret = { password_hash: 'canary' };

function quietly(result: unknown): { answer: unknown; reports: AnswerMismatch[] } {
  const reports: AnswerMismatch[] = [];
  return { answer: checkAnswer(endpoint, result, { isProduction: true, report: (mismatch) => reports.push(mismatch) }), reports };
}

const loudly = (result: unknown) => checkAnswer(endpoint, result, { isProduction: false, report: () => undefined });

describe('checked answers (S16)', () => {
  it('[API-003] leave alone what the contract declares', () => {
    fc.assert(
      fc.property(good, (result) => {
        expect(quietly(result)).toEqual({ answer: result, reports: [] });
        expect(loudly(result)).toEqual(result);
      }),
    );
  });

  it('[API-003] never let an undeclared key out, whether the rest fits or not', () => {
    const anything = fc.oneof(good, fc.record({ one: fc.jsonValue(), many: fc.array(fc.jsonValue()), free: fc.constant({}) }));
    fc.assert(
      fc.property(anything, (result) => {
        const { one, many } = result;
        const leaking = {
          ...result,
          ...secret,
          one: typeof one === 'object' && one !== null && !Array.isArray(one) ? { ...one, ...secret } : one,
          many: many.map((item) => (typeof item === 'object' && item !== null && !Array.isArray(item) ? { ...item, ...secret } : item)),
        };
        expect(JSON.stringify(quietly(leaking).answer)).not.toContain('canary');
        expect(() => loudly(leaking)).toThrow(AnswerMismatch);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { createAnswerValidator } from '../../test/conformance/validate-answer.ts';
import { readOperations } from '../../test/conformance/read-operations.ts';

const header = { $ref: '#/components/headers/Id' };
const document = {
  paths: {
    '/things': {
      get: {
        parameters: [],
        security: [],
        responses: {
          200: { headers: { 'x-id': header }, content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          204: { headers: {} },
          500: { headers: {} },
        },
      },
    },
  },
  components: {
    headers: { Id: { schema: { type: 'string' } } },
    schemas: { Thing: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false } },
  },
};
const [operation] = readOperations(document);
const validate = createAnswerValidator(document);
const sound = { status: 200, headers: { 'x-id': 'a', 'content-type': 'application/json; charset=utf-8' }, text: '{"id":1}' };

describe('validating answers against an OpenAPI document', () => {
  it.each([
    ['a sound answer', sound, null],
    ['an empty answer', { status: 204, headers: {}, text: '' }, null],
    ['a failure, even one that is described', { ...sound, status: 500 }, /is a failure/],
    ['a status that is not described', { ...sound, status: 404 }, /status 404, which is not described/],
    ['a missing header', { ...sound, headers: { 'content-type': 'application/json' } }, /lacks the header x-id/],
    ['another content type', { ...sound, headers: { ...sound.headers, 'content-type': 'text/html' } }, /is text\/html/],
    ['a key too many', { ...sound, text: '{"id":1,"secret":2}' }, /additional properties/],
    ['a key too few', { ...sound, text: '{}' }, /required property 'id'/],
    ['a body where there is none', { status: 204, headers: {}, text: 'x' }, /has a body/],
  ])('[API-003] %s', (_name, answer, expected) => {
    if (!operation) throw new Error('No call was read');
    const fault = validate(operation, answer);
    if (expected === null) expect(fault).toBeNull();
    else expect(fault).toMatch(expected);
  });
});

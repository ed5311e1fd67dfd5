import { expect, it } from 'vitest';
import { z } from 'zod';
import { entityCalls, labelled, labelOf, labelsOf } from './entity.ts';
import { peopleAccess } from './endpoint.ts';
import { bodyBoolean, integer } from './text-fields.ts';

const fields = { size: labelled('Size', integer().min(1)), is_on: labelled('Switched on', bodyBoolean) };
const calls = entityCalls({
  path: 'boxes',
  firstNumber: 900,
  access: peopleAccess,
  row: z.object({ id: z.int(), ...fields }),
  fields,
  defaults: { is_on: fields.is_on.default(true) },
  summaries: { list: 'Boxes', create: 'Create', get: 'A box', update: 'Change', remove: 'Delete' },
});

it('[ENT-040] a field keeps its own label when another one has the same schema', () => {
  const other = labelled('Closed', bodyBoolean);
  expect(labelsOf(fields)).toEqual([
    ['size', 'Size'],
    ['is_on', 'Switched on'],
  ]);
  expect(labelOf(other)).toBe('Closed');
  expect(() => labelOf(integer())).toThrow('Entity: field without a label');
});

it('[ENT-040] a new entity gets the defaults, an update takes what was sent, and both reject other keys', () => {
  expect(calls.create.body.parse({ size: 2 })).toEqual({ size: 2, is_on: true });
  expect(calls.create.body.safeParse({}).success).toBe(false);
  expect(calls.update.body.parse({})).toEqual({});
  expect(calls.update.body.parse({ is_on: 0 })).toEqual({ is_on: false });
  for (const body of [calls.create.body, calls.update.body]) expect(body.safeParse({ size: 2, colour: 'red' }).success).toBe(false);
});

it('[ENT-040] the five calls have successive numbers, and change one entity with If-Match', () => {
  const list = Object.values(calls);
  expect(list.map(({ number, method, path }) => `${number} ${method} ${path}`)).toEqual([
    '900 GET boxes',
    '901 POST boxes',
    '902 GET boxes/{id}',
    '903 PUT boxes/{id}',
    '904 DELETE boxes/{id}',
  ]);
  expect(list.every(({ access }) => access === peopleAccess)).toBe(true);
  expect([calls.get.answer.etag, calls.update.answer.etag, calls.update.rejections]).toEqual([true, true, [412]]);
});

import { requestTypes, ownTypeName } from '@switchyard/contract/requests';
import { expect, it } from 'vitest';
import { requestFilters } from './request-filters.tsx';
import { typeColour, typeOptions } from './request-type-label.tsx';

it('[REQ-034] gives each request type a colour of its own', () => {
  expect(new Set(requestTypes.map(typeColour)).size).toBe(7);
});

it('[INV-057] names requests of type error apart from requests with an error, and keeps the words of the options', () => {
  const { type, typeNot } = requestFilters({ offset: '+00:00', types: typeOptions(requestTypes), countries: [] });
  expect(type.chips(['error', 'create']).map(({ value }) => value)).toEqual(['with an error', 'create']);
  expect(typeNot.chips(['error']).map(({ value }) => value)).toEqual(['with an error']);
  expect(requestTypes.map(ownTypeName)).toEqual([...requestTypes.slice(0, -1), 'type error']);
  expect(typeOptions(requestTypes).map(({ name }) => name)).toEqual([...requestTypes]);
});

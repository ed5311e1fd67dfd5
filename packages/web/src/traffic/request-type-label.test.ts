import { requestTypes } from '@switchyard/contract/requests';
import { expect, it } from 'vitest';
import { typeColour } from './request-type-label.tsx';

it('[REQ-034] gives each request type a colour of its own', () => {
  expect(new Set(requestTypes.map(typeColour)).size).toBe(7);
});

import { expect, it } from 'vitest';
import { choiceIn, visibilityOf } from './column-choice.ts';

const columns = [{ id: 'date' }, { id: 'bot' }, { id: 'asn', isOptional: true }];

it('[INV-033] shows columns until they are hidden, and optional ones once they are chosen', () => {
  expect(visibilityOf(columns, { hidden: [], shown: [] })).toEqual({ date: true, bot: true, asn: false });
  expect(visibilityOf(columns, { hidden: ['bot', 'asn'], shown: ['asn'] })).toEqual({ date: true, bot: false, asn: true });
});

it('[INV-033] stores what differs, and keeps the choice about columns that are not there', () => {
  const former = { hidden: ['far', 'date'], shown: ['near'] };
  expect(choiceIn(columns, { date: true, bot: false, asn: true }, former)).toEqual({ hidden: ['far', 'bot'], shown: ['near', 'asn'] });
});

import { requestSortKeys, requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from './event-cursor.ts';

const sort = fc.record({ orderBy: fc.constantFrom(...requestSortKeys), orderDirection: fc.constantFrom('asc' as const, 'desc' as const) });
const position = fc.record({
  toward: fc.constantFrom('next' as const, 'previous' as const),
  id: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  occurredAt: fc.integer({ min: 0, max: 4_000_000_000_000_000 }),
  type: fc.constantFrom(...requestTypes),
});

describe('request cursors', () => {
  it('[ENT-021] keep their position and their sort', () => {
    fc.assert(
      fc.property(sort, position, (order, place) => {
        const text = writeCursor(order, place);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(readCursor(order, text)).toEqual({ sort: order, position: place });
        expect(readCursor({}, text)).toEqual({ sort: order, position: place });
        expect(readCursor({ orderBy: order.orderBy }, text)).toEqual({ sort: order, position: place });
      }),
    );
  });

  it('[REQ-029] mean the first page under another sort', () => {
    fc.assert(
      fc.property(sort, sort, position, (order, other, place) => {
        fc.pre(order.orderBy !== other.orderBy || order.orderDirection !== other.orderDirection);
        expect(readCursor(other, writeCursor(order, place))).toEqual({ sort: other, position: null });
      }),
    );
  });

  it('mean the first page when they are no cursors', () => {
    const order = { orderBy: 'id', orderDirection: 'asc' } as const;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
        ),
        (text) => {
          expect(readCursor(order, text)).toEqual({ sort: order, position: null });
        },
      ),
    );
    const paddedCursor = `${writeCursor(order, { toward: 'next', id: 1, occurredAt: 1, type: 'create' })}x`;
    expect(readCursor(order, paddedCursor).position).toBeNull();
    const forgedCursors = [
      ['id', 'asc', 'next', 1e300, 0, 'create'],
      ['id', 'asc', 'next', -1, 0, 'create'],
      ['id', 'asc', 'next', 1, 9e15, 'create'],
      ['id', 'asc', 'up', 1, 1, 'create'],
      ['id', 'asc', 'next', 1, 1, 'drop'],
    ];
    for (const parts of forgedCursors) {
      const text = Buffer.from(JSON.stringify(parts)).toString('base64url');
      expect(readCursor({}, text)).toEqual({ sort: { orderBy: 'concatenated_date', orderDirection: 'desc' }, position: null });
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorForm, pageForm, pageLinks } from './envelope.ts';

const labels = (current: number, total: number): string[] => pageLinks(current, total).map((link) => link.label);

describe('page links', () => {
  it('[WID-017, CONST-049] leaves a gap only where the current page is more than 3 from an end', () => {
    expect(labels(5, 10)).toEqual(['Previous', '1', '...', '3', '4', '5', '6', '7', '...', '10', 'Next']);
    expect(labels(4, 10)).toEqual(['Previous', '1', '2', '3', '4', '5', '6', '...', '10', 'Next']);
    expect(labels(1, 1)).toEqual(['Previous', '1', 'Next']);
  });

  it('[ENT-019, ENT-020, ENT-022] fills both naming styles of a numbered page', () => {
    expect(pageForm({ total: 41, count: 20, limit: 20, page: 2 })).toEqual({
      total: 41,
      count: 20,
      limit: 20,
      currentPage: 2,
      totalPages: 3,
      current_page: 2,
      last_page: 3,
      links: [
        { label: 'Previous', active: false, page: 1 },
        { label: '1', active: false, page: 1 },
        { label: '2', active: true, page: 2 },
        { label: '3', active: false, page: 3 },
        { label: 'Next', active: false, page: 3 },
      ],
      prev_cursor: null,
      next_cursor: null,
    });
    expect(pageForm({ total: 0, count: 0, limit: 20, page: 1 })).toMatchObject({ totalPages: 1, last_page: 1 });
  });

  it('[ENT-021] fills only the cursors, count and limit of a cursor page', () => {
    expect(cursorForm({ count: 50, limit: 50, previous: null, next: 'abc' })).toMatchObject({
      total: null,
      links: [],
      prev_cursor: null,
      next_cursor: 'abc',
    });
  });

  it('[WID-014, WID-016] shows first, last and current plus or minus 2, each once and in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (total, page) => {
        const current = Math.min(page, total);
        const links = pageLinks(current, total);
        const pages = links.slice(1, -1).flatMap((link) => (link.page === null ? [] : [link.page]));
        const expected = new Set(
          [1, total, current - 2, current - 1, current, current + 1, current + 2].filter((n) => n >= 1 && n <= total),
        );
        expect(pages).toEqual([...expected].sort((a, b) => a - b));
        expect(links.filter((link) => link.active).map((link) => link.page)).toEqual([current]);
        expect(links[0]?.page).toBe(current > 1 ? current - 1 : null);
        expect(links.at(-1)?.page).toBe(current < total ? current + 1 : null);
      }),
    );
  });

  it('has no next link beyond the end', () => {
    expect(pageLinks(9, 3).at(-1)?.page).toBeNull();
    expect(pageLinks(9, 3)[0]?.page).toBe(3);
  });
});

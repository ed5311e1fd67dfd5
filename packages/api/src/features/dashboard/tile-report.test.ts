import { expect, it } from 'vitest';
import { readBoardQuery } from '@switchyard/contract/boards';
import { reportOfTile } from './tile-report.ts';

const orderOf = (shape: 'chart' | 'figure', measure: string, query: string) => {
  const board = readBoardQuery('');
  if (board === null) throw new Error('no board');
  const tile = reportOfTile({ shape, measure, rows: 5 }, query, board);
  return tile === null || tile === 'excluded' ? tile : [tile.query.orderBy, tile.query.orderDirection];
};
const movers = 'groupBy[]=app&measure[]=requests&measure[]=conversions&compare=week&orderBy=change%3Aconversions&orderDirection=asc';

it('[DASH-019] counts the chart of a tile in the order of its report if that is one of its measure', () => {
  expect(orderOf('chart', 'conversions', movers)).toEqual(['change:conversions', 'asc']);
  expect(orderOf('chart', 'requests', movers)).toEqual([undefined, undefined]);
  expect(orderOf('figure', 'conversions', movers)).toEqual([undefined, undefined]);
});
